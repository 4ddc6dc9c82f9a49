import { ERROR_CATALOGUE, type ErrorCode } from './errors.ts'
import type { OperationExamples } from './examples/operation-examples.ts'
import type { ReplyCode } from './examples/problem-examples.ts'
import type { Components, Json } from './openapi-components.ts'
import type { Content, ContractAddresses, Operation, Response } from './operation.ts'

/** One operation of the document. What it refers to is left in `components`. */
export function operationObject(
  operation: Operation,
  components: Components,
  examples: OperationExamples,
  { baseUrl, authUrl }: ContractAddresses,
): Json {
  const { operationId, tag, summary, description, security, parameters, request, consequential, onAuthUrl } = operation
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(onAuthUrl && authUrl !== baseUrl && { servers: [{ url: authUrl, description: 'The identity provider.' }] }),
    security: security === 'none' ? [] : [{ [security]: [] }],
    ...(consequential && { 'x-openai-isConsequential': true }),
    ...(parameters !== undefined && {
      parameters: parameters.map((parameter) => ({
        name: parameter.name,
        in: parameter.in,
        description: parameter.description,
        required: parameter.required ?? false,
        schema: components.schema(parameter.schema),
      })),
    }),
    ...(request !== undefined && {
      requestBody: {
        required: request.required,
        content: contentObject(request.content, examples.request, components),
      },
    }),
    responses: responsesObject(operation, components, examples),
  }
}

function responsesObject(operation: Operation, components: Components, examples: OperationExamples): Json {
  const responses: Record<string, Json> = {}
  for (const [status, response] of Object.entries(operation.responses)) {
    responses[status] = responseObject(response, examples.responses?.[Number(status)], components)
  }
  for (const [status, codes] of codesByStatus(errorsOf(operation))) {
    responses[status] ??= components.problemResponse(codes)
  }
  if (operation.security !== 'none') responses['401'] = components.unauthorizedResponse()
  return responses
}

function responseObject(response: Response, example: unknown, components: Components): Json {
  return {
    description: response.description,
    headers: components.headers(response.headers),
    ...(response.content !== undefined && { content: contentObject(response.content, example, components) }),
  }
}

/** An example is a JSON value: it goes with JSON and with forms, not with the page that shows the same to people. */
function contentObject(content: Content, example: unknown, components: Components): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      schema === null
        ? {}
        : { schema: components.schema(schema), ...(example !== undefined && hasFields(type) && { example }) },
    ]),
  )
}

function hasFields(mediaType: string): boolean {
  return /json$|form/.test(mediaType)
}

/** The operation's own codes and those that any operation of its kind can answer. */
function errorsOf({ tag, parameters, errors = [] }: Operation): readonly ErrorCode[] {
  const hasId = parameters?.some((parameter) => parameter.in === 'path') ?? false
  return [
    ...errors,
    ...(hasId ? (['svc_not_found'] as const) : []),
    ...(tag === 'utility' ? [] : (['svc_rate_limited'] as const)),
    // Pages are made in memory: they neither wait for the database nor need it.
    ...(tag === 'utility' || tag === 'documentation' ? [] : (['svc_internal', 'svc_unavailable'] as const)),
  ]
}

function codesByStatus(codes: readonly ErrorCode[]): Map<string, ReplyCode[]> {
  const byStatus = new Map<string, ReplyCode[]>()
  for (const code of codes) {
    if (!isReplyCode(code)) continue
    const status = String(ERROR_CATALOGUE[code].status)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

function isReplyCode(code: ErrorCode): code is ReplyCode {
  return ERROR_CATALOGUE[code].status !== null
}
