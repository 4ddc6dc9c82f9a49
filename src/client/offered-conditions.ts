import { CONDITION_EXTENSIONS, type ConditionExtension } from '../contract/conditions.ts'

/** Our extensions of conditions that a service's OpenAPI document has among those of a generation. */
export function offeredConditions(document: unknown): ReadonlySet<ConditionExtension> {
  const path = ['paths', '/v1/datasets/{dataset_id}/generations', 'post', 'requestBody', 'content', 'application/json']
  const body = path.reduce<unknown>((node, key) => own(node, key), document)
  const conditions = propertyOf(document, own(body, 'schema'), 'conditions', MOST_STEPS)
  return new Set(
    CONDITION_EXTENSIONS.filter((name) => propertyOf(document, conditions, name, MOST_STEPS) !== undefined),
  )
}

/** Whether the document has the operation that orders many generations at once. */
export const offersBatches = (document: unknown): boolean =>
  own(own(own(document, 'paths'), '/v1/datasets/{dataset_id}/generations/batch'), 'post') !== undefined

/** Whether a service's document has the operations for seed files in parts. */
export const offersUploads = (document: unknown): boolean =>
  own(own(own(document, 'paths'), '/v1/uploads'), 'post') !== undefined

/** References that are followed one after another; a document that has more of them refers to itself. */
const MOST_STEPS = 8

const own = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, key)
    ? (node as Readonly<Record<string, unknown>>)[key]
    : undefined

/** The schema of a property, also where the object's schema stands behind references or in parts. */
function propertyOf(document: unknown, schema: unknown, name: string, steps: number): unknown {
  if (steps === 0) return undefined
  const found = own(own(schema, 'properties'), name)
  if (found !== undefined) return found
  const reference = own(schema, '$ref')
  const target =
    typeof reference === 'string' && reference.startsWith('#/')
      ? reference
          .slice(2)
          .split('/')
          .reduce<unknown>((node, key) => own(node, key.replaceAll('~1', '/').replaceAll('~0', '~')), document)
      : undefined
  const parts = own(schema, 'allOf')
  for (const part of [target, ...(Array.isArray(parts) ? parts : [])]) {
    const inPart = part === undefined ? undefined : propertyOf(document, part, name, steps - 1)
    if (inPart !== undefined) return inPart
  }
  return undefined
}
