import { conditionCount } from '../conditions/kinds.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { DEFAULT_MAX_SCENARIOS, MAX_CONDITIONS, MAX_ID_LENGTH, MAX_SCENARIOS } from '../diagnostics/limits.ts'
import { childMap, childNumber, type LocatedMap } from '../yaml/located-node.ts'
import { type Combination, combinations, matches } from './combinations.ts'
import type { ExpandedScenario } from './expanded-scenario.ts'
import { type DraftScenario, EMPTY_DRAFT, layer } from './layering.ts'
import { type Matrix, readMatrix } from './read-matrix.ts'
import { replicatesOf } from './replicate-scenario.ts'
import { readPatch, type ScenarioPatch } from './scenario-patch.ts'

/** A scenario or group as written. */
export interface ScenarioEntry {
  readonly id: string
  readonly range: SourceRange
  readonly patch: ScenarioPatch
  readonly matrix: Matrix | null
}

/** The entries under `scenarios`, with the names in their matrices resolved: the semantics of expansion. */
export function readScenarioEntries(root: LocatedMap, diagnostics: Diagnostic[]): readonly ScenarioEntry[] {
  return [...(childMap(root, 'scenarios')?.entries.values() ?? [])].map(({ key, keyRange, value }) => {
    const fields = value as LocatedMap
    const matrix = childMap(fields, 'matrix')
    return {
      id: key,
      range: keyRange,
      patch: readPatch(fields),
      matrix: matrix === undefined ? null : readMatrix(matrix, diagnostics),
    }
  })
}

/**
 * Applies layers and expands: `defaults`, then the scenario or group, then axis values in axis sequence, then entries
 * of `override` in sequence; `exclude` before, `include` after (study language, sections 4.2 and 4.3). At last each
 * scenario with `replicates` becomes as many. In file sequence.
 */
export function expandScenarios(
  root: LocatedMap,
  entries: readonly ScenarioEntry[],
  diagnostics: Diagnostic[],
): readonly ExpandedScenario[] {
  const limit = childNumber(childMap(root, 'limits'), 'max_scenarios')?.value ?? DEFAULT_MAX_SCENARIOS
  const defaults = layer(EMPTY_DRAFT, readPatch(childMap(root, 'defaults')))
  const expansion = new Expansion(diagnostics)
  for (const entry of entries) {
    const base = layer(defaults, entry.patch)
    if (entry.matrix === null) {
      expansion.add({ id: entry.id, group: null, axes: new Map(), range: entry.range, draft: base }, [entry.id])
    } else {
      expansion.addGroup(entry, entry.matrix, base, limit)
    }
    if (expansion.isFull) break
  }
  return expansion.scenarios
}

class Expansion {
  readonly scenarios: ExpandedScenario[] = []
  isFull = false
  readonly #diagnostics: Diagnostic[]
  readonly #places = new Map<string, SourceRange>()
  #conditions = 0

  constructor(diagnostics: Diagnostic[]) {
    this.#diagnostics = diagnostics
  }

  addGroup(entry: ScenarioEntry, matrix: Matrix, base: DraftScenario, limit: number): void {
    // The draft under each axis, for the previous combination: the last axis changes fastest, so most of them stay.
    const under: DraftScenario[] = [base]
    let before: Combination = []
    for (const combination of combinations(entry, matrix, limit, this.#diagnostics) ?? []) {
      const values = matrix.axes.map((axis, index) => axis.values[combination[index]!]!)
      const changed = combination.findIndex((value, index) => value !== before[index])
      for (let axis = changed; axis < values.length; axis++) under[axis + 1] = layer(under[axis]!, values[axis]!.patch)
      before = combination
      const overrides = matrix.override.filter(({ match }) => matches(match, combination)).map(({ patch }) => patch)
      const slugs = values.map((value) => value.slug)
      this.add(
        {
          id: [entry.id, ...slugs].join('--'),
          group: entry.id,
          axes: new Map(matrix.axes.map((axis, index) => [axis.name.value, slugs[index]!])),
          range: entry.range,
          draft: overrides.reduce(layer, under[values.length]!),
        },
        [entry.id, ...slugs],
      )
      if (this.isFull) return
    }
    for (const { id, patch } of matrix.include) {
      this.add(
        {
          id: `${entry.id}--${id.value}`,
          group: entry.id,
          axes: new Map(),
          range: id.range,
          draft: layer(base, patch),
        },
        [entry.id, id.value],
      )
    }
  }

  add(scenario: ExpandedScenario, slugs: readonly string[]): void {
    const { replicates } = scenario.draft
    if (replicates === undefined) {
      this.#addOne(scenario, slugs)
      return
    }
    // Comparisons use the shared name, so no scenario may have it as its id.
    if (this.#isTaken(scenario)) return
    this.#places.set(scenario.id, scenario.range)
    for (const one of replicatesOf(scenario, replicates, this.#diagnostics)) {
      if (this.isFull) return
      this.#addOne(one, slugs)
    }
  }

  /** Reports the twin of an id. */
  #isTaken(scenario: ExpandedScenario): boolean {
    const twin = this.#places.get(scenario.id)
    if (twin !== undefined) {
      this.#diagnostics.push(
        diagnose('S3004', {
          summary: `two scenarios get the id "${scenario.id}"`,
          range: scenario.range,
          related: [{ message: 'the other one', range: twin }],
        }),
      )
    }
    return twin !== undefined
  }

  #addOne(scenario: ExpandedScenario, slugs: readonly string[]): void {
    if (this.#isTaken(scenario)) return
    if (scenario.id.length > MAX_ID_LENGTH && !this.#diagnostics.some((d) => d.range === scenario.range)) {
      const longest = slugs.reduce((a, b) => (b.length > a.length ? b : a))
      this.#diagnostics.push(
        diagnose('S3003', {
          summary: `scenario ids of "${slugs[0]}" have up to ${scenario.id.length} characters, more than ${MAX_ID_LENGTH}`,
          range: scenario.range,
          detail: `${scenario.id}\nthe longest part is "${longest}"`,
        }),
      )
    }
    this.#places.set(scenario.id, scenario.range)
    this.scenarios.push(scenario)
    this.#conditions += conditionCount(scenario.draft.conditions)
    if (this.scenarios.length > MAX_SCENARIOS || this.#conditions > MAX_CONDITIONS) this.#stop(scenario.range)
  }

  #stop(range: SourceRange): void {
    if (this.isFull) return
    this.isFull = true
    this.#diagnostics.push(
      diagnose('S4106', {
        summary: `the study has more than ${MAX_SCENARIOS} scenarios or ${MAX_CONDITIONS} conditions`,
        range,
        detail: 'this bound cannot be raised',
      }),
    )
  }
}
