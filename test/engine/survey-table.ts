import type { CategoricalColumn, NumericColumn, Table, TableColumn } from '../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../src/engine/sampling/random.ts'

/** A categorical column from labels; null is missing. Levels most frequent first, ties by UTF-16 order, as cleaning gives them. */
export function categorical(name: string, labels: readonly (string | null)[]): CategoricalColumn {
  const counts = new Map<string, number>()
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  const levels = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1))
  return {
    kind: 'categorical',
    name,
    sourceName: name,
    missingShare: labels.filter((label) => label === null).length / labels.length,
    levels,
    codes: Int32Array.from(labels, (label) => (label === null ? -1 : levels.indexOf(label))),
    integer: false,
  }
}

/** A numeric column; null is missing. */
export function numeric(name: string, source: readonly (number | null)[], decimals = 0): NumericColumn {
  const present = source.filter((value) => value !== null)
  return {
    kind: 'numeric',
    name,
    sourceName: name,
    missingShare: 1 - present.length / source.length,
    format: null,
    values: Float64Array.from(source, (value) => value ?? 0),
    valid: Uint8Array.from(source, (value) => (value === null ? 0 : 1)),
    integer: decimals === 0,
    decimals,
    min: present.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    max: present.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  }
}

export function tableOf(columns: readonly TableColumn[]): Table {
  const first = columns[0]!
  const rowCount = first.kind === 'categorical' ? first.codes.length : first.values.length
  return { rowCount, seedRows: rowCount, columns }
}

/**
 * A survey with known structure: `spend` is missing exactly for non-members, zero for a third of members, otherwise close to
 * price x visits with two decimals; `district` has 300 levels whose number decides `region`; `height` is continuous.
 */
export function surveyTable(rows: number, seed = 1): Table {
  const random = new RandomStream(seed, PURPOSE.value)
  const region: (string | null)[] = []
  const district: string[] = []
  const member: string[] = []
  const visits: number[] = []
  const price: number[] = []
  const spend: (number | null)[] = []
  const height: number[] = []
  for (let i = 0; i < rows; i++) {
    const d = Math.floor(300 * random.real() ** 2)
    district.push(`district ${d}`)
    region.push(random.real() < 0.05 ? null : ['north', 'east', 'south', 'west'][d % 4]!)
    const isMember = random.real() < 0.6
    member.push(isMember ? 'yes' : 'no')
    const count = 1 + Math.floor(random.real() * (isMember ? 12 : 4))
    visits.push(count)
    const cents = 150 + 5 * Math.floor(random.real() * 60)
    price.push(cents / 100)
    const zero = random.real() < 1 / 3
    spend.push(isMember ? (zero ? 0 : Math.round(cents * count * (0.95 + 0.1 * random.real())) / 100) : null)
    height.push(Math.round((150 + 20 * (random.real() + random.real())) * 10) / 10)
  }
  return tableOf([
    categorical('region', region),
    categorical('district', district),
    categorical('member', member),
    numeric('visits', visits),
    numeric('price', price, 2),
    numeric('spend', spend, 2),
    numeric('height', height, 1),
  ])
}

/** Answers of people on seven scales of five points that hang together loosely: many are given by several people, as many by one. */
export function scalesTable(rows: number, seed = 1): Table {
  const random = new RandomStream(seed, PURPOSE.value)
  const scales = Array.from({ length: 7 }, (): string[] => [])
  for (let i = 0; i < rows; i++) {
    const mood = random.real()
    for (const scale of scales) {
      const own = random.real()
      scale.push(String(1 + Math.floor(5 * (0.5 * mood + 0.5 * own) ** 2)))
    }
  }
  return tableOf(scales.map((labels, c) => categorical(`scale ${c + 1}`, labels)))
}
