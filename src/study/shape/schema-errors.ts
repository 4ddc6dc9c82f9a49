import { cutText } from '../../base/text/fit-text.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { type LocatedMap, type LocatedNode, MERGE_KEY, mergeKeyFault, nameText } from '../yaml/located-node.ts'
import { numberTrap, splitAtComma } from './number-traps.ts'
import { findPlace, type SchemaPlace } from './schema-place.ts'
import { slugFault } from './slug.ts'
import { childSchema, knownKeys, resolveSchema, type SchemaNode } from './study-schema.ts'

/** An error as Ajv reports it, with the fields that are used here. */
export interface SchemaError {
  readonly keyword: string
  /** JSON pointer to the value. */
  readonly instancePath: string
  readonly schemaPath: string
  // biome-ignore lint/suspicious/noExplicitAny: each keyword has parameters of its own
  readonly params: Readonly<Record<string, any>>
  /** The key, when the error is about a key. */
  readonly propertyName?: string
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  number: 'a number',
  integer: 'an integer',
  string: 'text',
  date: 'a date',
  factor: 'a factor such as "×1.2"',
  boolean: 'true or false',
}

/** The validator's finding in words, at its place in the file. Null for errors that only wrap or repeat others. */
export function explainSchemaError(
  error: SchemaError,
  root: LocatedNode,
  rootSchema: SchemaNode,
  rootTitle: string,
): Diagnostic | null {
  const isBranch = /\/(?:oneOf|anyOf)\/\d+\//.test(error.schemaPath)
  if (isBranch || error.keyword === 'if' || error.keyword === 'propertyNames') return null
  const place = findPlace(root, rootSchema, rootTitle, error.instancePath)
  if (place.merge !== null) return mergeKeyFault(place.merge.keyRange)
  if (error.propertyName !== undefined) return keyFault(error, place, error.propertyName)
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(place, String(error.params.additionalProperty))
    case 'required':
      return missingKey(place, String(error.params.missingProperty))
    case 'type':
      return wrongForm(place, typesOfTextOrNumber(place) ?? [error.params.type].flat())
    case 'enum':
      return wrongWord(place, error.params.allowedValues)
    case 'minimum':
    case 'maximum':
      return outOfBounds(place, error.keyword, error.params.limit)
    case 'minLength':
      return diagnose('S1107', {
        summary: `${place.title} is empty`,
        range: place.range,
        detail: expected(place.schema),
      })
    case 'minProperties':
    case 'minItems':
      return diagnose('S1109', {
        summary: tooFew(place, error.params.limit),
        range: place.keyRange,
        detail: expected(place.schema),
      })
    case 'maxItems':
    case 'maxProperties':
      return diagnose('S1104', {
        summary: `${place.title} has more than ${error.params.limit} entries`,
        range: place.keyRange,
        detail: expected(place.schema),
      })
    case 'oneOf':
    case 'anyOf':
      return notTogether(place, error.keyword)
    case 'dependencies':
      return diagnose('S1110', {
        summary: `"${error.params.property}" requires "${error.params.missingProperty}"`,
        range: keyRangeOf(place, String(error.params.property)),
        detail: expected(
          resolveSchema(childSchema(place.schema, place.node, String(error.params.missingProperty)) ?? {}),
        ),
      })
    case 'pattern': {
      const types = typesOfTextOrNumber(place)
      if (types !== null) return wrongForm(place, types)
      break
    }
  }
  return textFault(error, place.title, nameText(place.node), place.range, place.schema)
}

/** What may be a number or a text of one form: the end of a range, or a changed share. Null for all others. */
function tooFew({ node, title }: SchemaPlace, least: number): string {
  const count = node.kind === 'list' ? node.items.length : node.kind === 'map' ? node.entries.size : 0
  return count === 0
    ? `${title} is empty`
    : `${title} has ${count === 1 ? '1 entry' : `${count} entries`}, fewer than ${least}`
}

function typesOfTextOrNumber({ schema, title }: SchemaPlace): readonly string[] | null {
  if (![schema.type].flat().includes('number') || !('pattern' in schema)) return null
  return ['number', title === '"change"' ? 'factor' : 'date']
}

/** Errors of a key: names of columns, levels and slugs. */
function keyFault(error: SchemaError, place: SchemaPlace, key: string): Diagnostic {
  const range = keyRangeOf(place, key)
  if (key === MERGE_KEY) return mergeKeyFault(range)
  if (error.keyword === 'minLength') {
    return diagnose('S1107', { summary: `a key of ${place.title} is empty`, range })
  }
  return textFault(error, `"${key}"`, key, range, resolveSchema(place.schema.propertyNames ?? {}))
}

function textFault(
  error: SchemaError,
  title: string,
  text: string,
  range: SourceRange,
  schema: SchemaNode,
): Diagnostic {
  if (error.schemaPath.includes('/definitions/slug/')) return slugFault(text, range)
  const summary =
    error.keyword === 'maxLength'
      ? `${title} is longer than ${error.params.limit} characters`
      : `${title} does not have the expected form`
  return diagnose('S1107', { summary, range, detail: expected(schema) })
}

function unknownKey(place: SchemaPlace, key: string): Diagnostic {
  const range = keyRangeOf(place, key)
  if (key === MERGE_KEY) return mergeKeyFault(range)
  const entry = place.node.kind === 'map' ? place.node.entries.get(key) : undefined
  const split = entry && splitAtComma(place.node as LocatedMap, entry)
  if (split) return split
  const known = knownKeys(place.schema, place.node)
  const suggestions = suggest(key, known)
  return diagnose('S1102', {
    summary: `unknown key "${key}" in ${place.title}`,
    range,
    detail: suggestions.length > 0 ? '' : `known keys: ${known.join(', ')}`,
    suggestions,
  })
}

/** Null when the key exists in another spelling: that key is reported with this one as its suggestion. */
function missingKey(place: SchemaPlace, key: string): Diagnostic | null {
  if (isMisspelt(place, key)) return null
  const schema = childSchema(place.schema, place.node, key)
  return diagnose('S1103', {
    summary: `"${key}" is missing in ${place.title}`,
    range: place.keyRange,
    detail: key === 'min' || key === 'max' ? expected(place.schema) : expected(resolveSchema(schema ?? {})),
  })
}

function isMisspelt({ node, schema }: SchemaPlace, missing: string): boolean {
  if (node.kind !== 'map') return false
  const { entries } = node
  const known = knownKeys(schema, node)
  const absent = known.filter((key) => !entries.has(key))
  const unknown = [...entries.keys()].filter((key) => !known.includes(key) && !key.startsWith('x-'))
  return unknown.some((key) => suggest(key, absent)[0] === missing)
}

function wrongForm(place: SchemaPlace, types: readonly string[]): Diagnostic {
  const { node, title, range } = place
  if (node.kind === 'scalar' && node.value === null) {
    const split = place.parent && place.entry && splitAtComma(place.parent, place.entry)
    if (split) return split
    return diagnose('S1108', { summary: `${title} has no value`, range, detail: expected(place.schema) })
  }
  const wantsNumber = types.includes('number') || types.includes('integer')
  const trap = node.kind === 'scalar' && wantsNumber ? numberTrap(node) : null
  if (trap !== null) return trap
  const words = types.map((type) => TYPE_WORDS[type]).filter((word) => word !== undefined)
  return diagnose('S1104', {
    summary: `${title} must be ${words.join(' or ')}, not ${actual(node)}`,
    range,
    detail: expected(place.schema),
  })
}

function wrongWord(place: SchemaPlace, allowed: readonly string[]): Diagnostic {
  const { node, title, range } = place
  if (node.kind === 'scalar' && node.value === null) {
    return diagnose('S1108', { summary: `${title} has no value`, range, detail: expected(place.schema) })
  }
  // A seed is a number or a word; a number that was written as text is not a misspelt word.
  const trap = node.kind === 'scalar' && [place.schema.type].flat().includes('integer') ? numberTrap(node) : null
  if (trap !== null) return trap
  return diagnose('S1105', {
    summary: `${title} cannot be ${actual(node)}`,
    range,
    detail: allowed.length > 1 ? `allowed: ${allowed.join(', ')}` : expected(place.schema),
    suggestions: suggest(nameText(node), allowed),
  })
}

function outOfBounds(place: SchemaPlace, keyword: 'minimum' | 'maximum', limit: number): Diagnostic | null {
  // Numbers that lost digits have a message of their own.
  if (place.node.kind === 'scalar' && numberTrap(place.node) !== null) return null
  const relation = keyword === 'minimum' ? `less than ${limit}` : `more than ${limit}`
  return diagnose('S1106', {
    summary: `${place.title} is ${nameText(place.node)}, ${relation}`,
    range: place.range,
    detail: expected(place.schema),
  })
}

/** `oneOf` and `anyOf` only state which keys must be present. */
function notTogether(place: SchemaPlace, keyword: 'oneOf' | 'anyOf'): Diagnostic | null {
  // A value that is not a map has its own diagnostic.
  if (place.node.kind !== 'map') return null
  const schema = place.schema as SchemaNode & {
    readonly oneOf?: readonly { required?: readonly string[] }[]
    readonly anyOf?: readonly { required: readonly string[] }[]
  }
  const { entries } = place.node
  const required = (schema[keyword] ?? []).flatMap((branch) => branch.required ?? [])
  if (required.some((key) => isMisspelt(place, key))) return null
  const keys = required.map((key) => `"${key}"`)
  const present = keys.filter((key) => entries.has(key.slice(1, -1)))
  return diagnose('S1110', {
    summary:
      present.length > 1
        ? `${place.title} has ${present.join(' and ')}, which exclude each other`
        : `${place.title} needs ${keys.join(' or ')}`,
    range: place.keyRange,
    detail: expected(place.schema),
  })
}

function keyRangeOf(place: SchemaPlace, key: string): SourceRange {
  return (place.node.kind === 'map' && place.node.entries.get(key)?.keyRange) || place.keyRange
}

function expected(schema: SchemaNode): string {
  if (schema.description === undefined) return ''
  const text = schema.description.replace(/\.$/, '')
  return `expected: ${/^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text}`
}

function actual(node: LocatedNode): string {
  if (node.kind !== 'scalar') return node.kind === 'map' ? 'a map' : 'a list'
  return typeof node.value === 'string' ? `"${shorten(node.value)}"` : nameText(node)
}

function shorten(text: string): string {
  return text.length > 60 ? `${cutText(text, 57)}...` : text
}
