import { escapeText } from '../../base/text/escape-text.ts'
import { usedNames } from '../conditions/kinds.ts'
import { diagnose, ScenarioFindings } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { checkConditions } from '../live-schema/check-conditions.ts'
import {
  type CleanedColumn,
  type CleanedSchema,
  ColumnFinder,
  hasLevel,
  listNames,
  MOST_COMPARED,
  withSchema,
} from '../live-schema/cleaned-schema.ts'
import type { Study } from '../study.ts'
import { type DataReference, dataReferences } from './data-references.ts'
import { kindAdvice, recodeAdvice, renameAdvice } from './likely-renames.ts'

/** Changes listed in one note; further ones are only counted. */
const LISTED_CHANGES = 5

/**
 * The changes of a dataset between its lock and its current cleaned schema (study language, section 7): one finding at
 * each place where the study uses them, and one note for all other changes. `checkConditions` checks whether the
 * conditions are valid; this does not. `lockFile` names the lock in messages.
 */
export function checkDrift(
  study: Study,
  dataset: string,
  schemas: { readonly locked: CleanedSchema; readonly live: CleanedSchema; readonly lockFile: string },
): readonly Diagnostic[] {
  const drift = new Drift(schemas.locked, schemas.live, schemas.lockFile, study.policy.drift)
  const references = dataReferences(study, dataset)
  const found = new ScenarioFindings()
  const compared: Diagnostic[] = []
  const shown = new Set<string>()
  for (const reference of references) {
    for (const { code, text } of drift.of(reference)) {
      // Many comparisons of one column have one finding.
      if (code === 'W2209' && shown.size === shown.add(reference.column).size) continue
      if (reference.scenario === null) compared.push(diagnose(code, text))
      else found.add(code, reference.scenario, text)
    }
  }
  const rest = drift.unreferenced(dataset, references)
  return [...found.diagnostics(study.scenarios.length), ...compared, ...(rest === null ? [] : [rest])]
}

/**
 * Scenarios whose conditions name a missing column or level, and what is missing. With `policy.drift: warn` they do not
 * keep the others from running, but must not be sent: a service may ignore names that it does not know, and bill other
 * rows.
 */
export function scenariosAdrift(study: Study, dataset: string, live: CleanedSchema): ReadonlyMap<string, string> {
  const columns = byName(live)
  const adrift = new Map<string, string>()
  for (const scenario of study.scenarios) {
    if (scenario.dataset !== dataset) continue
    for (const condition of scenario.conditions) {
      for (const { column: name, level } of usedNames(condition)) {
        const column = columns.get(name)
        const isGone = level !== null && column?.levels && hasLevel(column, level) === false
        if (column !== undefined && !isGone) continue
        const what = `column "${escapeText(name)}"`
        adrift.set(scenario.id, isGone ? `level "${escapeText(level)}" of ${what} is gone` : `${what} is gone`)
        break
      }
    }
  }
  return adrift
}

interface Found {
  readonly code: 'S2201' | 'W2205' | 'S2202' | 'W2206' | 'S2203' | 'W2204' | 'N2207' | 'W2209'
  readonly text: { summary: string; range: SourceRange; detail: string; suggestions?: readonly string[] }
}

class Drift {
  readonly #locked: ReadonlyMap<string, CleanedColumn>
  readonly #live: ReadonlyMap<string, CleanedColumn>
  readonly #schema: CleanedSchema
  readonly #finder: ColumnFinder
  readonly #lockFile: string
  readonly #isSoft: boolean
  #compared = 0
  /** Cached, because every scenario that has a column asks for it. */
  readonly #differences = new Map<string, LevelDifference>()

  constructor(locked: CleanedSchema, live: CleanedSchema, lockFile: string, policy: 'fail' | 'warn') {
    this.#locked = byName(locked)
    this.#live = byName(live)
    this.#schema = live
    this.#finder = new ColumnFinder(live)
    this.#lockFile = lockFile
    this.#isSoft = policy === 'warn'
  }

  /** The changes of one name that the study uses. */
  of(reference: DataReference): readonly Found[] {
    const { column: name, range } = reference
    const locked = this.#locked.get(name)
    if (locked === undefined) return []
    const live = this.#live.get(name)
    if (live === undefined) return reference.level === null ? [this.#columnGone(name, range)] : []
    if (reference.level !== null) return this.#levelGone(locked, live, reference.level, range)
    if (isOtherKind(locked, live)) return [this.#otherKind(locked, live, range)]
    if (!reference.isOfLevels) return []
    const { added, goneCount } = this.#difference(locked, live)
    if (reference.scenario === null) return added.length + goneCount > 0 ? [this.#otherLevels(locked, live, range)] : []
    return added.length > 0 ? [this.#newLevels(name, added, range)] : []
  }

  /** One note about everything else. */
  unreferenced(dataset: string, references: readonly DataReference[]): Diagnostic | null {
    const used = new Map<string, { levels: Set<string>; isConditioned: boolean; isShown: boolean }>()
    for (const { column, level, isOfLevels, scenario } of references) {
      const entry = used.get(column) ?? { levels: new Set(), isConditioned: false, isShown: false }
      used.set(column, entry)
      if (level !== null) entry.levels.add(level)
      if (isOfLevels) entry[scenario === null ? 'isShown' : 'isConditioned'] = true
    }
    const changes: string[] = []
    for (const [name, locked] of this.#locked) {
      const live = this.#live.get(name)
      const use = used.get(name)
      const shown = `"${escapeText(name)}"`
      if (live === undefined) {
        if (use === undefined) changes.push(`column ${shown} is gone`)
      } else if (locked.kind !== live.kind) {
        if (use === undefined || !isOtherKind(locked, live))
          changes.push(`column ${shown} was ${locked.kind}, is ${live.kind}`)
      } else if (use?.isShown !== true) {
        const reported = [...(use?.levels ?? [])].filter((level) => isGone(locked, live, level))
        changes.push(...levelChanges(shown, this.#difference(locked, live), reported, use?.isConditioned === true))
      }
    }
    for (const [name, { kind }] of this.#live)
      if (!this.#locked.has(name)) changes.push(`column "${escapeText(name)}" is new (${kind})`)
    if (changes.length === 0) return null
    const more = changes.length - LISTED_CHANGES
    const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
    return diagnose('N2208', {
      summary: `dataset "${dataset}": ${count} since ${this.#lockFile} that no condition uses`,
      detail: [...changes.slice(0, LISTED_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    })
  }

  #columnGone(name: string, range: SourceRange): Found {
    const lookup = this.#finder.find(name)
    const { text } = lookup as Exclude<typeof lookup, { column: CleanedColumn }>
    // Adds what cleaning did to it, unless the cause is simply that it does not exist.
    const cause = 'code' in lookup && lookup.code === 'S2104' ? [text.summary] : []
    const advice = renameAdvice(name, { locked: this.#locked, live: this.#live })
    const lines = [...cause, ...(text.detail ?? '').split('\n')]
    // The last line names the schema.
    if (advice !== null) lines.splice(-1, 0, advice)
    return {
      code: this.#isSoft ? 'W2205' : 'S2201',
      text: {
        summary: `column "${name}" is gone since ${this.#lockFile}`,
        range,
        detail: lines.join('\n'),
        suggestions: text.suggestions ?? [],
      },
    }
  }

  #levelGone(locked: CleanedColumn, live: CleanedColumn, level: string, range: SourceRange): readonly Found[] {
    if (live.levels === undefined || !isGone(locked, live, level)) return []
    const summary = `level "${level}" of column "${live.name}" is gone since ${this.#lockFile}`
    const advice = recodeAdvice(locked, live, level)
    const detail = withSchema(
      `retained levels: ${listNames(live.levels)}${advice === null ? '' : `\n${advice}`}`,
      this.#schema,
    )
    this.#compared += live.levels.length
    const suggestions = this.#compared > MOST_COMPARED ? [] : suggest(level, live.levels)
    return [{ code: this.#isSoft ? 'W2206' : 'S2202', text: { summary, range, detail, suggestions } }]
  }

  #otherKind(locked: CleanedColumn, live: CleanedColumn, range: SourceRange): Found {
    const summary = `column "${live.name}" was ${locked.kind} in ${this.#lockFile} and is ${live.kind} now`
    const takes = live.kind === 'numeric' ? 'numeric columns take `ranges`' : 'categorical columns take `shares`'
    const advice = kindAdvice(locked, live)
    const detail = withSchema(`${takes}${advice === null ? '' : `\n${advice}`}`, this.#schema)
    return { code: 'S2203', text: { summary, range, detail } }
  }

  #newLevels(name: string, added: readonly string[], range: SourceRange): Found {
    const what = added.length === 1 ? 'a new level' : `${added.length} new levels`
    const detail = withSchema(
      `new: ${listNames(added)}\nthe remainder of the shares is divided among other levels than before`,
      this.#schema,
    )
    const summary = `column "${name}" has ${what} since ${this.#lockFile}`
    return { code: this.#isSoft ? 'N2207' : 'W2204', text: { summary, range, detail } }
  }

  #otherLevels(locked: CleanedColumn, live: CleanedColumn, range: SourceRange): Found {
    const { added, gone, goneCount } = this.#difference(locked, live)
    const advice = gone?.map((level) => recodeAdvice(locked, live, level)).find((line) => line !== null)
    const lines = [
      ...(goneCount > 0 ? [`gone: ${goneText(gone, goneCount)}`] : []),
      ...(added.length > 0 ? [`new: ${listNames(added)}`] : []),
      ...(advice === undefined || advice === null ? [] : [advice]),
    ]
    const summary = `column "${live.name}" is compared, and its levels are others than in ${this.#lockFile}`
    return { code: 'W2209', text: { summary, range, detail: withSchema(lines.join('\n'), this.#schema) } }
  }

  #difference(locked: CleanedColumn, live: CleanedColumn): LevelDifference {
    let known = this.#differences.get(live.name)
    if (known === undefined) {
      known = levelDifference(locked, live)
      this.#differences.set(live.name, known)
    }
    return known
  }
}

interface LevelDifference {
  readonly added: readonly string[]
  /** Null: their names are hidden. */
  readonly gone: readonly string[] | null
  readonly goneCount: number
}

function levelDifference(locked: CleanedColumn, live: CleanedColumn): LevelDifference {
  const isKnown = locked.levels !== undefined || locked.hiddenLevels !== undefined
  if (!isKnown || live.levels === undefined) return { added: [], gone: [], goneCount: 0 }
  const before = new Set(locked.levels)
  const now = new Set(live.levels)
  const had = (level: string) => locked.hiddenLevels?.has(level) ?? before.has(level)
  const added = live.levels.filter((level) => !had(level)).sort()
  const gone = locked.levels?.filter((level) => !now.has(level)) ?? null
  const stayed = now.size - added.length
  return { added, gone, goneCount: gone?.length ?? (locked.hiddenLevels?.count ?? 0) - stayed }
}

/** `names` null: they are hidden. */
function goneText(names: readonly string[] | null, count: number): string {
  return names === null ? `${count} ${count === 1 ? 'level' : 'levels'}` : listNames(names)
}

/** `reported`: the gone levels that the study uses. */
function levelChanges(
  shown: string,
  { added, gone, goneCount }: LevelDifference,
  reported: readonly string[],
  isConditioned: boolean,
): string[] {
  const changes: string[] = []
  const others = gone?.filter((level) => !reported.includes(level))
  const count = others?.length ?? goneCount - reported.length
  if (count > 0) changes.push(`column ${shown} lost ${goneText(others ?? null, count)}`)
  if (added.length > 0 && !isConditioned) changes.push(`column ${shown} gained ${listNames(added)}`)
  return changes
}

function isGone(locked: CleanedColumn, live: CleanedColumn, level: string): boolean {
  return hasLevel(live, level) === false && hasLevel(locked, level) === true
}

function isOtherKind(locked: CleanedColumn, live: CleanedColumn): boolean {
  return locked.kind !== live.kind && locked.kind !== 'unknown' && live.kind !== 'unknown'
}

function byName(schema: CleanedSchema): Map<string, CleanedColumn> {
  return new Map(schema.columns.map((column) => [column.name, column]))
}

/** Names and kinds that `checkConditions` reports as wrong. */
const NAME_CODES: ReadonlySet<string> = new Set(['S2102', 'S2103', 'S2104', 'S2105'])

/** The same names and kinds, when they were right according to the lock. */
const DRIFT_CODES: ReadonlySet<string> = new Set(['S2201', 'W2205', 'S2202', 'W2206', 'S2203'])

/**
 * All diagnostics about one dataset with a known cleaned schema: those of `checkConditions`, and with a lock those of
 * `checkDrift`. A place is reported once: "gone" is more specific than "does not exist", and follows `policy.drift`. In
 * file sequence; diagnostics without a place come last.
 */
export function checkDataset(
  study: Study,
  dataset: string,
  live: CleanedSchema,
  lock: { readonly schema: CleanedSchema; readonly fileName: string } | null,
): readonly Diagnostic[] {
  const conditions = checkConditions(study, dataset, live)
  if (lock === null) return conditions
  const drift = checkDrift(study, dataset, { locked: lock.schema, live, lockFile: lock.fileName })
  const reported = new Set(drift.filter((d) => DRIFT_CODES.has(d.code)).map(offsetOf))
  const rest = conditions.filter((d) => !(NAME_CODES.has(d.code) && reported.has(offsetOf(d))))
  return [...rest, ...drift].sort((a, b) => offsetOf(a) - offsetOf(b))
}

function offsetOf(diagnostic: Diagnostic): number {
  return diagnostic.range?.start.offset ?? Number.MAX_SAFE_INTEGER
}
