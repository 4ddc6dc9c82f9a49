import { z } from 'zod'
import { ERROR_CATALOGUE, type ErrorCode } from './errors.ts'
import type { Content, Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { PROBLEM_CONTENT_TYPE, Problem } from './problem.ts'

/** Version of the contract (specification, "Versioning" 1), not of the package. */
export const CONTRACT_VERSION = '1.0.0'

type Json = { readonly [key: string]: unknown }

/**
 * The OpenAPI 3.1.0 document of the service, made of the table of operations and the schemas of the contract. `baseUrl`
 * is the address that clients use, without a trailing slash.
 */
export function buildOpenApi(baseUrl: string): Json {
  const components = new Map<string, unknown>()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of OPERATIONS) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = operationObject(operation, components)
    paths[operation.path] = path
  }
  schemaObject(Problem, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Synthetic scenario data service',
      version: CONTRACT_VERSION,
      description:
        'Upload a seed dataset; it is cleaned and a model is trained on it. Then ask for synthetic rows that follow a scenario: target shares of levels and ranges of numeric columns.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(OPERATIONS.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token of POST /oauth/token.' },
        operator: { type: 'http', scheme: 'bearer', description: 'The operator token, where the operator is on.' },
      },
    },
  }
}

function operationObject(operation: Operation, components: Map<string, unknown>): Json {
  const { operationId, tag, summary, description, security, parameters, request, consequential } = operation
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security === 'none' ? [] : [{ [security]: [] }],
    ...(consequential && { 'x-openai-isConsequential': true }),
    ...(parameters !== undefined && {
      parameters: parameters.map((parameter) => ({
        name: parameter.name,
        in: parameter.in,
        description: parameter.description,
        required: parameter.required ?? false,
        schema: schemaObject(parameter.schema, components),
      })),
    }),
    ...(request !== undefined && {
      requestBody: { required: request.required, content: contentObject(request.content, components) },
    }),
    responses: responsesObject(operation, components),
  }
}

function responsesObject(operation: Operation, components: Map<string, unknown>): Json {
  const responses: Record<string, Json> = {}
  const headers = {
    'X-Request-Id': { description: 'Keep it for support.', schema: { type: 'string' } },
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    responses[status] = {
      description: response.description,
      headers,
      ...(response.content !== undefined && { content: contentObject(response.content, components) }),
    }
  }
  const problem = { [PROBLEM_CONTENT_TYPE]: { schema: schemaObject(Problem, components) } }
  for (const [status, codes] of codesByStatus(errorsOf(operation))) {
    responses[status] ??= { description: codes.map(describeCode).join(' '), headers, content: problem }
  }
  if (operation.security !== 'none') {
    responses['401'] = { description: 'Invalid credentials; the cases are not told apart.', headers, content: problem }
  }
  return responses
}

/** The operation's own codes and those that any operation of its kind can answer. */
function errorsOf(operation: Operation): ErrorCode[] {
  const hasId = operation.parameters?.some((parameter) => parameter.in === 'path') ?? false
  return [
    ...(operation.errors ?? []),
    ...(hasId ? (['svc_not_found'] as const) : []),
    ...(operation.tag === 'utility' ? [] : (['svc_rate_limited', 'svc_internal', 'svc_unavailable'] as const)),
  ]
}

function codesByStatus(codes: readonly ErrorCode[]): Map<string, ErrorCode[]> {
  const byStatus = new Map<string, ErrorCode[]>()
  for (const code of codes) {
    const status = ERROR_CATALOGUE[code].status
    if (status !== null) byStatus.set(String(status), [...(byStatus.get(String(status)) ?? []), code])
  }
  return byStatus
}

function describeCode(code: ErrorCode): string {
  return `\`${code}\`: ${ERROR_CATALOGUE[code].cause}`
}

function contentObject(content: Content, components: Map<string, unknown>): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      schema === null ? {} : { schema: schemaObject(schema, components) },
    ]),
  )
}

/**
 * JSON Schema of a zod schema, with every named schema moved to `components`. As input, for replies too: there it does
 * not forbid unknown fields, which clients must let through.
 */
function schemaObject(schema: z.ZodType, components: Map<string, unknown>): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _dialect, $defs, ...rest } = JSON.parse(text) as Json & { $defs?: Json }
  for (const [name, definition] of Object.entries($defs ?? {})) components.set(name, definition)
  return rest
}
