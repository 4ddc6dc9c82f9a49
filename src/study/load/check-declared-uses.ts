import { matchesGlob } from '../../base/text/match-glob.ts'
import { bandLabels } from '../band-labels.ts'
import { cleanedName } from '../cleaned-name.ts'
import { type Declarations, NET_LEVELS } from '../declarations.ts'
import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import { type DiagnosticText, diagnose, ScenarioFindings } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { listNames } from '../live-schema/cleaned-schema.ts'
import { type DataReference, dataReferences } from '../lock/data-references.ts'
import type { Study } from '../study.ts'

/**
 * Conditions and comparisons that use what the study declares in a way that cannot be meant: a dropped column, the
 * weight, a column of the design, a value that stands for no answer, a band that the cuts do not make.
 */
export function checkDeclaredUses(study: Study): Diagnostic[] {
  return [...study.datasets].flatMap(([id, source]) => {
    if (source.kind !== 'file' || source.declarations === undefined) return []
    const columns = new DeclaredData(source.declarations)
    const conditions = new ScenarioFindings()
    const compared: Diagnostic[] = []
    for (const reference of dataReferences(study, id)) {
      const finding = columns.check(reference)
      if (finding === null) continue
      if (reference.scenario === null) compared.push(diagnose(finding.code, finding.text))
      else conditions.add(finding.code, reference.scenario, finding.text)
    }
    return [...conditions.diagnostics(study.scenarios.length), ...compared]
  })
}

interface Finding {
  readonly code: DiagnosticCode
  readonly text: DiagnosticText
}

class DeclaredData {
  readonly #declarations: Declarations
  readonly #dropped: ReadonlySet<string>
  /** Name that cleaning would give a column that is dropped or used up by the design → its name in the file. */
  readonly #cleaned: ReadonlyMap<string, string>
  /** Band or net, also by the name that cleaning gives it → its levels. */
  readonly #made: ReadonlyMap<string, { readonly word: 'band' | 'net'; readonly levels: readonly string[] }>
  readonly #missing: ReadonlyMap<string, ReadonlySet<string>>

  constructor(declarations: Declarations) {
    this.#declarations = declarations
    const { drop = [], bands = {}, nets = {}, missing = {} } = declarations
    this.#dropped = new Set(drop)
    const drawn = [declarations.design?.strata, declarations.design?.clusters].filter((name) => name !== undefined)
    this.#cleaned = new Map([...drawn, ...drop].map((name) => [cleanedName(name), name]))
    // Whether all values are whole is known when the file is read.
    const bandsOf = (at: readonly number[]) => [...new Set([...bandLabels(at, true), ...bandLabels(at, false)])]
    const made = [
      ...Object.entries(bands).map(([name, { at }]) => ({ name, word: 'band' as const, levels: bandsOf(at) })),
      ...Object.keys(nets).map((name) => ({ name, word: 'net' as const, levels: NET_LEVELS })),
    ]
    this.#made = new Map(made.flatMap((one) => [one.name, cleanedName(one.name)].map((key) => [key, one] as const)))
    this.#missing = new Map(Object.entries(missing).map(([name, values]) => [name, new Set(values.map(String))]))
  }

  check({ column, level, range, isOfLevels }: DataReference): Finding | null {
    if (level === null) return this.#checkColumn(column, range)
    const made = this.#made.get(column)
    if (made !== undefined && !made.levels.includes(level)) {
      const { word, levels } = made
      return {
        code: 'S1412',
        text: {
          summary:
            word === 'band' ? `column "${column}" has no band "${level}"` : `net "${column}" has no level "${level}"`,
          range,
          detail: `${word === 'band' ? 'bands' : 'levels'}: ${listNames(levels)}`,
          suggestions: word === 'band' ? likelyBands(level, levels) : suggest(level, levels),
        },
      }
    }
    const isMissing = ['*', column].some((key) => this.#missing.get(key)?.has(level))
    if (!isMissing) return null
    const where = isOfLevels ? 'have shares' : 'be compared'
    return {
      code: 'S1410',
      text: {
        summary: `level "${level}" of column "${column}" is declared missing`,
        range,
        detail: `rows with it have no value, which cannot ${where}; remove it here or from \`missing\``,
      },
    }
  }

  /** Null where the design does not use the column. */
  #roleInDesign(column: string): string | null {
    const { design, weight } = this.#declarations
    if (design === undefined || column === weight) return null
    const { strata, clusters, replicateWeights } = design
    if (column === strata) return 'says the stratum of each row'
    if (column === clusters) return 'says the cluster of each row'
    const isReplicate = replicateWeights !== undefined && matchesGlob(replicateWeights.columns, column)
    return isReplicate ? 'is a replicate weight' : null
  }

  #checkColumn(column: string, range: DataReference['range']): Finding | null {
    if (this.#declarations.weight === column) {
      return {
        code: 'S1405',
        text: {
          summary: `column "${column}" is the weight`,
          range,
          detail: 'conditions and comparisons use the answers, which the weight already counts',
        },
      }
    }
    const role = this.#roleInDesign(column)
    if (role !== null) {
      const detail = 'standard errors use it; to use it here too, copy it under another name in the file'
      return { code: 'S1414', text: { summary: `column "${column}" ${role}`, range, detail } }
    }
    if (this.#dropped.has(column)) {
      const detail = 'remove it from `drop`, or use another column'
      return { code: 'S1401', text: { summary: `column "${column}" is dropped, and used here`, range, detail } }
    }
    const renamed = this.#cleaned.get(column)
    if (renamed === undefined) return null
    if (!this.#dropped.has(renamed)) {
      const summary = `column "${column}" may be "${renamed}", which the design uses`
      const detail = 'cleaning writes names with dots; copy the column under another name in the file'
      return { code: 'W1413', text: { summary, range, detail } }
    }
    return {
      code: 'W1413',
      text: {
        summary: `column "${column}" may be "${renamed}", which is dropped`,
        range,
        detail: 'cleaning writes names with dots; remove it from `drop`, or use another column',
      },
    }
  }
}

/** Bands that are spelled alike, or else the one that begins at the same number: `18-30`, `65+`, `<18`. */
function likelyBands(written: string, levels: readonly string[]): readonly string[] {
  const alike = suggest(written, levels)
  if (alike.length > 0) return alike
  const start = /-?\d+(?:\.\d+)?/.exec(written)?.[0]
  const likely = /^\s*(?:<|under|below|less)/i.test(written)
    ? levels.find((level) => level === `under ${start}`)
    : levels.find((level) => level === start || level.startsWith(`${start}-`) || level.startsWith(`${start} `))
  return likely === undefined ? [] : [likely]
}
