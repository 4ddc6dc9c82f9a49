/** A made-up population whose rows follow rules, and counts of generated rows that break them. */

import type { Rule } from '../../../src/base/rules/rule.ts'
import { outcomeOf, withColumns } from '../../../src/base/rules/rule.ts'
import type { Table, TableColumn } from '../../../src/engine/cleaning/table.ts'
import type { GeneratedTable } from '../../../src/engine/generate.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { caseWeights } from '../../../src/engine/weighting/case-weights.ts'
import { parseRule } from '../../../src/study/rules/parse-rule.ts'

export const DAY = 86_400_000

/** The columns of a generated table, by name: texts and numbers, dates in days; null where missing. */
export type Rows = ReadonlyMap<string, readonly (string | number | null)[]>

export function ruleOf(text: string): Rule {
  const parsed = parseRule(text)
  if ('fault' in parsed) throw new Error(`${text}: expected ${parsed.fault.expected} at ${parsed.fault.at}`)
  return parsed.rule
}

export interface PeopleOptions {
  readonly rows: number
  readonly seed: number
  readonly rules: readonly string[]
  /** Rows of each rule that break it. */
  readonly breaking?: number
  readonly weighted?: boolean
  readonly missing?: number
}

/** People with an age, a licence, a job, a stay, and what they spend on two things and in all. */
export function people({ rows: n, seed, rules, breaking = 0, weighted = false, missing = 0 }: PeopleOptions): Table {
  const stream = new RandomStream(seed, PURPOSE.testTable)
  const uniform = () => stream.real()
  const people = Array.from({ length: n }, (_, row) => {
    const region = ['North', 'South', 'East'][Math.floor(3 * uniform() ** 1.3)]!
    const sex = uniform() < 0.5 ? 'Female' : 'Male'
    const age = Math.round(14 + 70 * (0.5 * uniform() + 0.5 * uniform()))
    const isBroken = row < breaking
    const driver = isBroken || (age >= 18 && uniform() < (region === 'North' ? 0.8 : 0.55)) ? 'Yes' : 'No'
    const years = isBroken ? age : Math.floor(Math.max(0, age - 15) * uniform())
    const pregnant = (isBroken || (sex === 'Female' && age < 50)) && uniform() < (isBroken ? 1 : 0.15) ? 'Yes' : 'No'
    const start = 19_000 + Math.floor(700 * uniform())
    const end = isBroken ? start - 3 : start + Math.floor(-20 * Math.log(uniform() + 1e-9))
    const food = Math.round(100 * (20 + 2 * age * uniform())) / 100
    const other = Math.round(100 * (10 + 80 * uniform() ** 2)) / 100
    const total = isBroken ? food : Math.round(100 * (food + other)) / 100
    const happy = String(Math.min(5, Math.max(1, Math.round(3 + (total - 120) / 60 + 2 * uniform() - 1))))
    return {
      region,
      sex: isBroken ? 'Male' : sex,
      age: isBroken ? 15 : age,
      driver,
      years,
      pregnant,
      start,
      end,
      food,
      other,
      total,
      happy,
    }
  })
  type Person = (typeof people)[number]
  const hidden = (key: number, row: number) =>
    row >= breaking && new RandomStream(seed, PURPOSE.testTable, key, 1 + row).real() < missing
  const levels = (key: number, name: keyof Person, list: readonly string[], canMiss = true): TableColumn => {
    const codes = Int32Array.from(people, (person, row) =>
      canMiss && hidden(key, row) ? -1 : list.indexOf(String(person[name])),
    )
    return {
      kind: 'categorical',
      name,
      sourceName: name,
      missingShare: share(codes.filter((code) => code < 0).length),
      levels: list,
      codes,
      integer: list.every((level) => /^\d+$/.test(level)),
    }
  }
  const share = (count: number) => count / n
  const numbers = (
    key: number,
    name: keyof Person,
    decimals: number,
    format: 'date' | null = null,
    canMiss = true,
  ): TableColumn => {
    const unit = format === null ? 1 : DAY
    const valid = Uint8Array.from(people, (_, row) => (canMiss && hidden(key, row) ? 0 : 1))
    const values = Float64Array.from(people, (person, row) => (valid[row] === 1 ? Number(person[name]) * unit : 0))
    const there = [...values].filter((_, row) => valid[row] === 1)
    return {
      kind: 'numeric',
      name,
      sourceName: name,
      missingShare: share(n - there.length),
      format,
      values,
      valid,
      integer: decimals === 0,
      decimals,
      min: there.reduce((a, b) => Math.min(a, b)),
      max: there.reduce((a, b) => Math.max(a, b)),
    }
  }
  const columns = [
    levels(1, 'region', ['North', 'South', 'East'], false),
    levels(2, 'sex', ['Female', 'Male'], false),
    numbers(3, 'age', 0),
    levels(4, 'driver', ['Yes', 'No']),
    numbers(5, 'years', 0),
    levels(6, 'pregnant', ['No', 'Yes']),
    numbers(7, 'start', 0, 'date'),
    numbers(8, 'end', 0, 'date'),
    numbers(9, 'food', 2),
    numbers(10, 'other', 2),
    numbers(11, 'total', 2),
    levels(12, 'happy', ['1', '2', '3', '4', '5']),
  ]
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name)
  return {
    rowCount: n,
    seedRows: n,
    columns,
    rules: rules.map((text) => withColumns(ruleOf(text), indexOf)),
    ...(weighted && {
      weights: caseWeights(Float64Array.from(people, ({ region }) => (region === 'North' ? 2 : 0.7))),
    }),
  }
}

export async function rowsOf(generated: GeneratedTable): Promise<Rows> {
  const columns = new Map<string, (string | number | null)[]>(generated.columns.map(({ name }) => [name, []]))
  for await (const block of generated.blocks) {
    generated.columns.forEach((column, c) => {
      const into = columns.get(column.name)!
      const drawn = block.columns[c]!
      for (let row = 0; row < block.rowCount; row++) {
        if ('codes' in drawn)
          into.push(column.kind === 'categorical' && drawn.codes[row]! >= 0 ? column.levels[drawn.codes[row]!]! : null)
        else {
          const unit = column.kind === 'date' ? DAY : 1
          into.push(drawn.valid?.[row] === 0 ? null : drawn.values[row]! / unit)
        }
      }
    })
  }
  return columns
}

/** Rows that break each rule, and rows that it is about. */
export function countBreaking(rows: Rows, rules: readonly string[]) {
  const count = [...rows.values()][0]!.length
  let row = 0
  const at = {
    number: (name: string) => {
      const value = rows.get(name)![row]
      return value === null || value === undefined ? Number.NaN : Number(value)
    },
    level: (name: string) => {
      const value = rows.get(name)![row]
      return value === null || value === undefined ? null : String(value)
    },
  }
  return rules.map((text) => {
    const rule = ruleOf(text)
    let [about, broken] = [0, 0]
    for (row = 0; row < count; row++) {
      const outcome = outcomeOf(rule, at)
      if (outcome !== 'apart') about++
      if (outcome === 'broken') broken++
    }
    return { rule: text, about, broken }
  })
}
