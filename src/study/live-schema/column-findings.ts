import type { DiagnosticCode } from '../diagnostics/catalogue.ts'
import type { DiagnosticText } from '../diagnostics/diagnose.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { areCodes } from '../outcomes/outcome.ts'
import {
  type CleanedColumn,
  type CleanedSchema,
  ColumnFinder,
  hasLevel,
  listNames,
  MOST_COMPARED,
  normalisationHint,
  withSchema,
} from './cleaned-schema.ts'

export interface Finding {
  readonly code: DiagnosticCode
  readonly text: DiagnosticText
}

/** Columns and levels of a cleaned schema, with what is said of those that it does not have. */
export class ColumnFindings {
  readonly schema: CleanedSchema
  readonly #columns: ColumnFinder
  #compared = 0

  constructor(schema: CleanedSchema) {
    this.schema = schema
    this.#columns = new ColumnFinder(schema)
  }

  checkLevel(column: CleanedColumn, level: string, range: SourceRange, found: Finding[]): void {
    if (hasLevel(column, level) !== false) return
    const { levels, hiddenLevels } = column
    this.#compared += levels?.length ?? 0
    const suggestions = levels === undefined || this.#compared > MOST_COMPARED ? [] : suggest(level, levels)
    const hint = suggestions.length > 0 ? normalisationHint(level, suggestions[0]!) : ''
    const retained = levels === undefined ? `${hiddenLevels?.count}, names hidden` : listNames(levels)
    const rare = this.schema.rareLevels?.find((dropped) => dropped.column === column.name)?.count ?? 0
    const lost =
      rare === 0 || suggestions.length > 0 ? '' : `\n(cleaning made ${rareText(rare)} of this column missing)`
    found.push({
      code: 'S2103',
      text: {
        summary: `unknown level "${level}" in column "${column.name}"`,
        range,
        detail: withSchema(`${hint && `${hint}  `}retained levels: ${retained}${lost}`, this.schema),
        suggestions,
      },
    })
  }

  find(name: string, range: SourceRange, found: Finding[]): CleanedColumn | null {
    const lookup = this.#columns.find(name)
    if ('column' in lookup) return lookup.column
    found.push({ code: lookup.code, text: { ...lookup.text, range } })
    return null
  }

  wrongKind(column: CleanedColumn, kind: string, range: SourceRange): Finding {
    const detail = withSchema(otherKindAdvice(column), this.schema)
    return { code: 'S2105', text: { summary: `column "${column.name}" is ${kind}`, range, detail } }
  }
  /** The column without a finding; null where there is none. */
  lookUp(name: string): CleanedColumn | null {
    const lookup = this.#columns.find(name)
    return 'column' in lookup ? lookup.column : null
  }
}

/** How a column becomes one of the other kind; empty where its levels are words. */
function otherKindAdvice({ kind, name, sourceName, levels = [] }: CleanedColumn): string {
  const declaring = (type: string) => `declare \`types: { ${sourceName ?? name}: ${type} }\``
  if (kind === 'numeric') return `for shares of its values, ${declaring('ordinal')}`
  return areCodes(levels) ? `for a range of its numbers, ${declaring('numeric')}` : ''
}

function rareText(count: number): string {
  return count === 1 ? 'one rare level' : `${count} rare levels`
}
