import type { Json } from '../../contract/openapi/components.ts'
import { type Operation, TAGS } from '../../contract/operation.ts'
import { DOCUMENTED_OPERATIONS, OPERATIONS } from '../../contract/operations.ts'
import { type Block, heading, list, type Section, table, text } from './document.ts'

const SECURITY: Readonly<Record<Operation['security'], string>> = {
  none: 'No token.',
  bearer: 'Bearer token.',
  operator: 'Operator token.',
}

/**
 * Every operation with its parameters, fields and replies, from the OpenAPI document; a section per group. Pages are
 * only listed.
 */
export function operationSections(openApi: Json): Section[] {
  const reader = new DocumentReader(openApi)
  return Object.entries(TAGS).map(([tag, description]) => ({
    id: `operations-${tag}`,
    title: `Operations: ${tag}`,
    blocks: [
      text(description),
      ...DOCUMENTED_OPERATIONS.filter((operation) => operation.tag === tag).flatMap((operation) =>
        operationBlocks(operation, reader),
      ),
      ...pageBlocks(tag),
    ],
  }))
}

function pageBlocks(tag: string): Block[] {
  const pages = OPERATIONS.filter((operation) => operation.tag === tag && operation.isPage)
  if (pages.length === 0) return []
  return [
    heading('Pages and texts, which are not in the OpenAPI document'),
    list(...pages.map(({ method, path, summary }) => `\`${method} ${path}\` ${summary}`)),
  ]
}

/** Every named record of the document with its fields. */
export function recordSection(openApi: Json): Section {
  const schemas = openApi.components as { readonly schemas: Readonly<Record<string, Schema>> }
  return {
    id: 'records',
    title: 'Records',
    blocks: Object.entries(schemas.schemas).flatMap(([name, schema]) => [
      heading(name),
      ...(schema.oneOf === undefined
        ? []
        : [text(`${schema.description} One of ${schema.oneOf.map(typeOf).join(', ')}.`)]),
      ...(schema.properties === undefined
        ? []
        : [Object.keys(schema.properties).length === 0 ? text('No fields.') : fieldTable(schema)]),
    ]),
  }
}

function operationBlocks({ method, path, operationId, security }: Operation, reader: DocumentReader): Block[] {
  const { summary, description, parameters, requestBody, responses } = reader.operation(path, method)
  return [
    heading(`\`${method} ${path}\` (${operationId})`),
    text(
      `${[summary, description]
        .filter((words) => words !== undefined)
        .map(sentence)
        .join(' ')} ${SECURITY[security]}`,
    ),
    ...(parameters === undefined
      ? []
      : [
          table(
            ['Parameter', 'In', 'Type', 'Meaning'],
            parameters.map((parameter) => [
              `\`${parameter.name}\``,
              parameter.in,
              `${typeOf(parameter.schema)}${parameter.required ? ', required' : ''}`,
              parameter.description,
            ]),
          ),
        ]),
    ...(requestBody === undefined ? [] : [text(`Body: ${contentOf(requestBody.content)}.`)]),
    list(
      ...Object.entries(responses).map(([status, response]) => {
        const { description: words, content } = reader.resolve<ResponseObject>(response)
        // The catalogue at the end says what each code means.
        const codes = Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}))
        if (codes.length > 0) return `\`${status}\` Problem: ${codes.map((code) => `\`${code}\``).join(', ')}`
        return `\`${status}\` ${words}${content === undefined ? '' : ` Body: ${contentOf(content)}.`}`
      }),
    ),
  ]
}

function fieldTable(schema: Schema): Block {
  const required = new Set(schema.required ?? [])
  return table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      `\`${name}\``,
      `${typeOf(property)}${required.has(name) ? ', required' : ''}`,
      property.description ?? '',
    ]),
  )
}

function contentOf(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `\`${type}\`${schema?.$ref === undefined ? '' : ` ${nameOf(schema.$ref)}`}`)
    .join(' or ')
}

/** A JSON Schema in a few words: `string`, `number 0 to 1`, `one of a, b`, `array of Dataset`. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  if (typeof schema.additionalProperties === 'object') return `map of ${typeOf(schema.additionalProperties)}`
  const { minimum, maximum, maxLength, pattern, format, properties } = schema
  if (properties !== undefined)
    return `object with ${Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(', ')}`
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` ${minimum} to ${maximum}`
      : minimum !== undefined
        ? ` from ${minimum}`
        : ''
  const length = maxLength === undefined ? '' : `, at most ${maxLength} characters`
  const form = pattern !== undefined ? `, \`${pattern}\`` : format !== undefined ? `, ${format}` : ''
  return `${[schema.type ?? 'any'].flat().join(' or ')}${range}${length}${form}`
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}

/** The parts of JSON Schema and OpenAPI that this document uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly description?: string
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Json }>>

interface ResponseObject {
  readonly description: string
  readonly content?: Content
}

interface OperationObject {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>
}

class DocumentReader {
  readonly #openApi: Json

  constructor(openApi: Json) {
    this.#openApi = openApi
  }

  operation(path: string, method: Operation['method']): OperationObject {
    const paths = this.#openApi.paths as Record<string, Record<string, OperationObject>>
    const operation = paths[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new RangeError(`The document has no ${method} ${path}.`)
    return operation
  }

  resolve<Kind>(piece: Kind | { readonly $ref: string }): Kind {
    if (typeof piece !== 'object' || piece === null || !('$ref' in piece)) return piece as Kind
    const path = piece.$ref.slice(2).split('/')
    return path.reduce<unknown>((at, key) => (at as Json)[key], this.#openApi) as Kind
  }
}
