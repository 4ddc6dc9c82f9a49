/**
 * How the data of two runs differ: rows, columns and levels. A manifest has the names of all columns, and the levels of those that
 * conditions and comparisons of its study name.
 */

import { chanceOfDifference } from '../../answers/arithmetic/figures.ts'
import { foldLetters } from '../../base/text/folded-words.ts'
import type { ManifestColumn, ManifestLevel } from '../../records/manifest/columns.ts'
import type { ManifestDataset } from '../../records/manifest/datasets.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { answerOf } from '../../study/lock/likely-renames.ts'

/** What is gone and what is new; `renamed` holds pairs of both that are probably the same. */
export interface NameChanges {
  readonly gone: readonly string[]
  readonly added: readonly string[]
  readonly renamed: ReadonlyMap<string, string>
}

export interface DatasetChanges {
  /** Its name in the later run, and in the earlier one. */
  readonly name: string
  readonly oldName: string
  /** The two runs read the same seed file, so their samples are one; null where that is not known. */
  readonly isSameData: boolean | null
  /** Rows and columns of the seed file, and what cleaning leaves of them; null where a run does not know. */
  readonly counts: Record<'inputRows' | 'cleanRows' | 'inputColumns' | 'cleanColumns', readonly [number, number]> | null
  /** All columns after cleaning; of manifests without their names, those that conditions and comparisons name. */
  readonly columns: NameChanges
  /** By column, under its name of the later run; only columns whose levels differ. */
  readonly levels: ReadonlyMap<string, NameChanges>
  /** Columns that cleaning leaves out in the later run and kept, or did not meet, in the earlier one. */
  readonly newlyDropped: readonly { readonly name: string; readonly reason: string }[]
}

/** Natural shares that lie this near are taken for the same answer under another name. */
const NEAR_SHARE = 0.05

/** Dataset by dataset; one that only one run has is paired with the only other one that is left, if there is one. */
export function datasetChanges(before: Manifest, after: Manifest): DatasetChanges[] {
  return datasetPairs(before, after).map(([oldName, name]) => {
    const [old, now] = [before.datasets[oldName]!, after.datasets[name]!]
    const columns = columnChanges(old, now)
    const left = new Set((old.cleaning?.dropped_columns ?? []).map((column) => column.name))
    return {
      name,
      oldName,
      isSameData: isSame(
        [old.sha256, now.sha256],
        [before.trace.datasets[oldName]?.dataset_id, after.trace.datasets[name]?.dataset_id],
      ),
      counts: countsOf(old, now),
      columns,
      levels: levelChanges(old, now, columns),
      newlyDropped: (now.cleaning?.dropped_columns ?? []).filter((column) => !left.has(column.name)),
    }
  })
}

function datasetPairs(before: Manifest, after: Manifest): [before: string, after: string][] {
  const [old, now] = [Object.keys(before.datasets), Object.keys(after.datasets)]
  const shared = now.filter((name) => old.includes(name))
  const [oldRest, newRest] = [old.filter((name) => !now.includes(name)), now.filter((name) => !old.includes(name))]
  const pairs = shared.map((name): [string, string] => [name, name])
  return oldRest.length === 1 && newRest.length === 1 ? [...pairs, [oldRest[0]!, newRest[0]!]] : pairs
}

type Pair<T> = readonly [before: T | null | undefined, after: T | null | undefined]

/** By the digest of the seed file; an existing dataset has none, and is told by its id at the service. */
function isSame([digest, later]: Pair<string>, [id, laterId]: Pair<string>): boolean | null {
  if (digest && later) return digest === later
  return id && laterId && !digest && !later ? id === laterId : null
}

function countsOf({ cleaning: old }: ManifestDataset, { cleaning: now }: ManifestDataset): DatasetChanges['counts'] {
  if (!old || !now) return null
  return {
    inputRows: [old.input_rows, now.input_rows],
    cleanRows: [old.clean_rows, now.clean_rows],
    inputColumns: [old.input_columns, now.input_columns],
    cleanColumns: [old.clean_columns, now.clean_columns],
  }
}

function columnChanges(
  { columns: old = {}, cleaned_columns: oldNames }: ManifestDataset,
  { columns: now = {}, cleaned_columns: names }: ManifestDataset,
): NameChanges {
  const columnOf = (columns: typeof old, name: string) => (Object.hasOwn(columns, name) ? columns[name] : undefined)
  const isAlike = (one: string, other: string): boolean => {
    const [column, later] = [columnOf(old, one), columnOf(now, other)]
    return column && later ? isLikeColumn(column, later) : isLongerName(one, other) || isLongerName(other, one)
  }
  return oldNames && names
    ? nameChanges(oldNames, names, isAlike)
    : nameChanges(Object.keys(old), Object.keys(now), isAlike)
}

/** `spend` and `spend.eur`: all that is known of columns that no condition or comparison names. */
const isLongerName = (name: string, longer: string): boolean =>
  plainName(longer).startsWith(plainName(name)) &&
  /^$|^[^\p{L}\d]/u.test(plainName(longer).slice(plainName(name).length))

function levelChanges(
  { columns: old = {}, cleaning: oldRows }: ManifestDataset,
  { columns: now = {}, cleaning: newRows }: ManifestDataset,
  { renamed }: NameChanges,
): Map<string, NameChanges> {
  const oldNames = new Map([...renamed].map(([from, to]) => [to, from]))
  const found = new Map<string, NameChanges>()
  for (const [column, { levels }] of Object.entries(now)) {
    const name = oldNames.get(column) ?? column
    const earlier = Object.hasOwn(old, name) ? old[name]!.levels : undefined
    if (levels === undefined || earlier === undefined) continue
    const [shares, laterShares] = [sharesOf(earlier), sharesOf(levels)]
    const isNear = (one: string, other: string): boolean =>
      isNearShare(
        { share: shares.get(one), n: oldRows?.clean_rows ?? 0 },
        { share: laterShares.get(other), n: newRows?.clean_rows ?? 0 },
      )
    const changes = nameChanges([...shares.keys()], [...laterShares.keys()], isNear, isLikeLevel)
    if (changes.gone.length + changes.added.length + changes.renamed.size > 0) found.set(column, changes)
  }
  return found
}

const sharesOf = (levels: readonly ManifestLevel[]): Map<string, number | undefined> =>
  new Map(levels.map(({ level, share }) => [level, share]))

/** @param isAlike whether the data under two names are alike. */
function nameChanges(
  old: readonly string[],
  now: readonly string[],
  isAlike: (old: string, now: string) => boolean,
  isLike = isLikeName,
): NameChanges {
  const [before, after] = [new Set(old), new Set(now)]
  const gone = old.filter((name) => !after.has(name))
  const added = now.filter((name) => !before.has(name))
  const renamed = new Map<string, string>()
  for (const name of gone) {
    const likely = added.filter((other) => isLike(name, other) && isAlike(name, other))
    // What two names fit was not renamed for sure.
    const [only] = likely
    const rivals = gone.filter((other) => other !== name && isLike(other, only ?? '') && isAlike(other, only ?? ''))
    if (likely.length === 1 && rivals.length === 0) renamed.set(name, only!)
  }
  const taken = new Set(renamed.values())
  return {
    gone: gone.filter((name) => !renamed.has(name)),
    added: added.filter((name) => !taken.has(name)),
    renamed,
  }
}

/** What joins words is no difference: `Own label` and `Own-label brand`. */
const plainName = (name: string): string =>
  foldLetters(name)
    .replace(/(?<=\p{L})[\s_.-]+(?=\p{L})/gu, ' ')
    .trim()

/** Also `Yes` and `Ja`, `No` and `0`. */
function isLikeLevel(one: string, other: string): boolean {
  const answer = answerOf(one)
  return isLikeName(one, other) || (answer !== null && answer === answerOf(other))
}

/** `Yes` and `Y`, `spend` and `spend_eur`, `West` and `west`, `colour` and `color`. Empty names are like none. */
function isLikeName(one: string, other: string): boolean {
  const [a, b] = [plainName(one), plainName(other)]
  if (a === '' || b === '') return false
  return a === b || a.startsWith(b) || b.startsWith(a) || suggest(a, [b]).length > 0
}

interface NaturalShare {
  readonly share: number | undefined
  readonly n: number
}

function isNearShare(old: NaturalShare, now: NaturalShare): boolean {
  if (old.share === undefined || now.share === undefined) return false
  const chance =
    old.n > 0 && now.n > 0 ? chanceOfDifference({ share: old.share, n: old.n }, { share: now.share, n: now.n }) : 0
  return Math.abs(old.share - now.share) <= Math.max(NEAR_SHARE, chance)
}

/** The same kind, and either levels in common, or medians that lie inside the middle half of each other. */
function isLikeColumn(old: ManifestColumn, now: ManifestColumn): boolean {
  if (old.kind !== now.kind) return false
  if (old.levels && now.levels) {
    const names = new Set(old.levels.map(({ level }) => level))
    return now.levels.some(({ level }) => names.has(level))
  }
  if (!old.quantiles || !now.quantiles) return false
  const [a, b] = [old.quantiles, now.quantiles]
  return a.q25 <= b.q50 && b.q50 <= a.q75 && b.q25 <= a.q50 && a.q50 <= b.q75
}
