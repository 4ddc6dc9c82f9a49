import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { LocatedNode, LocatedScalar } from '../yaml/located-node.ts'
import { lintDataKeys } from './name-lints.ts'
import { dateTrap, leadingZero, numberTrap } from './number-traps.ts'
import { CELL_ITEM, childSchema, hasDataKeys, resolveSchema, type SchemaNode } from './study-schema.ts'

/** Places where even `null` and `~`, unquoted, are names. */
const DATA_NAMES = ['columnName', 'fileColumn', 'levelName', 'pathItem', 'sheetName'].map(
  (name) => `#/definitions/${name}`,
)

const RANGE_END = '#/definitions/rangeEnd'

/**
 * The value that a schema validates: data without positions. Where the schema requires text, unquoted numbers and truth
 * values are taken as written, so that a name is spelled the same everywhere. Maps have no prototype.\n\nPushes faults
 * of the written form to `findings`: integers that lost digits, leading zeros, doubtful names.
 */
export function schemaValue(node: LocatedNode, schema: SchemaNode, findings: Diagnostic[]): unknown {
  return new ValueReader(findings).value(node, schema)
}

class ValueReader {
  readonly #findings: Diagnostic[]
  /** Aliased nodes occur several times; each is converted once per schema. */
  readonly #done = new Map<LocatedNode, Map<SchemaNode | null | undefined, unknown>>()

  constructor(findings: Diagnostic[]) {
    this.#findings = findings
  }

  value(node: LocatedNode, schema: SchemaNode | null | undefined): unknown {
    if (node.kind === 'scalar') return schema ? this.#scalar(node, schema) : node.value
    const done = this.#done.get(node) ?? new Map<SchemaNode | null | undefined, unknown>()
    this.#done.set(node, done)
    if (!done.has(schema)) done.set(schema, this.#collection(node, schema))
    return done.get(schema)
  }

  #collection(node: Exclude<LocatedNode, LocatedScalar>, schema: SchemaNode | null | undefined): unknown {
    const child = (key: string | number) => (schema ? childSchema(schema, node, key) : schema)
    if (node.kind === 'list') return node.items.map((item, index) => this.value(item, child(index)))
    if (schema && hasDataKeys(resolveSchema(schema))) this.#findings.push(...lintDataKeys(node))
    const value: Record<string, unknown> = Object.create(null)
    for (const entry of node.entries.values()) value[entry.key] = this.value(entry.value, child(entry.key))
    return value
  }

  #scalar(node: LocatedScalar, schema: SchemaNode): unknown {
    const { type } = resolveSchema(schema)
    if (type === 'string')
      return isReadAsWritten(node, schema) ? node.source : typeof node.value === 'string' ? node.value : null
    if (typeof node.value === 'number') {
      const isInteger = ![type].flat().includes('number')
      const finding = (Number.isFinite(node.value) ? numberTrap(node, isInteger) : null) ?? leadingZero(node)
      if (finding !== null) this.#findings.push(finding)
    }
    // A level may be any text, and a share is a number.
    const share = schema.$ref === CELL_ITEM && typeof node.value === 'string' ? numberTrap(node) : null
    if (share !== null) this.#findings.push(share)
    // A schema knows the form of a date and not the calendar.
    const date = schema.$ref === RANGE_END ? dateTrap(node) : null
    if (date !== null) this.#findings.push(date)
    return node.value
  }
}

/** Unquoted, in a place for text, and not text to YAML: the written form counts. */
export function isReadAsWritten(
  node: LocatedScalar,
  schema: SchemaNode,
): node is LocatedScalar & { readonly source: string } {
  if (resolveSchema(schema).type !== 'string' || typeof node.value === 'string' || node.source === null) return false
  return node.value !== null || (node.source !== '' && DATA_NAMES.includes(schema.$ref ?? ''))
}
