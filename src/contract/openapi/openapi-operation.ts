import { ERROR_CATALOGUE, type ErrorCode } from '../errors.ts'
import { type Content, type ContractAddresses, HTML, type Operation, type Response } from '../operation.ts'
import type { Components, Json } from './components.ts'
import type { OperationExamples } from './operation-examples.ts'
import type { ReplyCode } from './problem-examples.ts'

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
    const own = responses[status]
    responses[status] = own === undefined ? components.problemResponse(codes) : components.orProblem(own, codes)
  }
  if (operation.security !== 'none') responses['401'] = components.unauthorizedResponse()
  // Whatever the path: a request that names no host, or several.
  responses['400'] ??= components.transportResponse('malformed')
  if (readsBody(operation)) responses['408'] = components.transportResponse('timeout')
  return responses
}

function responseObject(response: Response, example: unknown, components: Components): Json {
  return {
    description: response.description,
    headers: components.headers(response.headers),
    ...(response.content !== undefined && { content: contentObject(response.content, example, components) }),
  }
}

/** An example is a JSON value: it goes with JSON and with forms. The page that shows the same to people is left out. */
function contentObject(content: Content, example: unknown, components: Components): Json {
  const documented = Object.entries(content).filter(([type]) => !(type in HTML))
  return Object.fromEntries(
    documented.map(([type, schema]) => [
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
function errorsOf({ tag, parameters, errors = [] }: Operation): Set<ErrorCode> {
  const hasId = parameters?.some((parameter) => parameter.in === 'path') ?? false
  return new Set([
    ...errors,
    // Percent-encoding in the path that cannot be read.
    ...(hasId ? (['svc_invalid_field', 'svc_not_found'] as const) : []),
    // Where the operator is off.
    ...(tag === 'operator' ? (['svc_not_found'] as const) : []),
    ...(tag === 'utility' ? [] : (['svc_rate_limited'] as const)),
    // A service that is closing answers every request so.
    'svc_internal',
    'svc_unavailable',
  ])
}

/** What has a body by its method is read, also where nothing is wanted of it. */
function readsBody({ method }: Operation): boolean {
  return method !== 'GET'
}

function codesByStatus(codes: Iterable<ErrorCode>): Map<string, ReplyCode[]> {
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
