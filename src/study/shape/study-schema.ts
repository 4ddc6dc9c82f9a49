import { readFileSync } from 'node:fs'
import type { LocatedNode } from '../yaml/located-node.ts'

/** The parts of draft-07 JSON Schema that the study's schema uses and this program reads. */
export interface SchemaNode {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly properties?: { readonly [key: string]: SchemaNode }
  readonly patternProperties?: { readonly [pattern: string]: true }
  readonly additionalProperties?: SchemaNode | boolean
  readonly propertyNames?: SchemaNode
  readonly items?: SchemaNode
  readonly enum?: readonly string[]
  readonly if?: { readonly type?: string; readonly required?: readonly string[] }
  readonly then?: SchemaNode
  readonly else?: SchemaNode
  readonly definitions?: { readonly [name: string]: SchemaNode }
}

const SCHEMA_URL = new URL('../../../schemas/study.v1.json', import.meta.url)

let loaded: SchemaNode | undefined

/** The published schema, the single source of the shape. */
export function studySchema(): SchemaNode {
  loaded ??= JSON.parse(readFileSync(SCHEMA_URL, 'utf8')) as SchemaNode
  return loaded
}

/** The schema of scenario fields, which patches have as well. */
export const FIELDS_SCHEMA: SchemaNode = { $ref: '#/definitions/fields' }

/** Follows references. A description next to a reference takes precedence over the definition's own. */
export function resolveSchema(schema: SchemaNode): SchemaNode {
  if (schema.$ref === undefined) return schema
  const target = studySchema().definitions?.[schema.$ref.slice('#/definitions/'.length)]
  if (target === undefined) throw new Error(`the study schema has no ${schema.$ref}`)
  const resolved = resolveSchema(target)
  return schema.description === undefined ? resolved : { ...resolved, description: schema.description }
}

/** Schema of a child; null where any value is allowed (`x-` keys), undefined where nothing is known. */
export function childSchema(
  parent: SchemaNode,
  node: LocatedNode,
  key: string | number,
): SchemaNode | null | undefined {
  const schema = resolveSchema(parent)
  if (typeof key === 'number') {
    const isLast = node.kind === 'list' && key === node.items.length - 1
    // Of a cell all but the last are levels. JSON Schema of this draft has no word for the last one.
    return schema.items?.$ref === CELL_ITEM && !isLast ? { $ref: '#/definitions/levelName' } : schema.items
  }
  const branch = schema.if && (holds(schema.if, node) ? schema.then : schema.else)
  const conditional = branch && ownProperty(resolveSchema(branch).properties, key)
  const property = ownProperty(schema.properties, key)
  if (conditional !== undefined) return { ...property, ...conditional }
  if (property !== undefined) return property
  if (schema.patternProperties !== undefined && key.startsWith('x-')) return null
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** Keys that are allowed by name. */
export function knownKeys(parent: SchemaNode, node: LocatedNode): readonly string[] {
  const schema = resolveSchema(parent)
  const branch = schema.if && (holds(schema.if, node) ? schema.then : schema.else)
  return Object.keys({ ...schema.properties, ...(branch && resolveSchema(branch).properties) })
}

/** An entry of a cell: a level, or the share at its end. */
export const CELL_ITEM = '#/definitions/cellItem'

const DATA_KEYS = ['columnName', 'fileColumn', 'newColumn', 'levelName'].map((name) => `#/definitions/${name}`)

/** Whether the map's keys are names of columns or levels. */
export function hasDataKeys(schema: SchemaNode): boolean {
  const names = schema.propertyNames?.$ref
  return names !== undefined && DATA_KEYS.includes(names)
}

/** The two kinds of condition that the schema uses. */
function holds(condition: NonNullable<SchemaNode['if']>, node: LocatedNode): boolean {
  if (condition.required !== undefined) {
    return node.kind === 'map' && condition.required.every((key) => node.entries.has(key))
  }
  return node.kind === 'scalar' && typeof node.value === condition.type
}

function ownProperty<T>(properties: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
}
