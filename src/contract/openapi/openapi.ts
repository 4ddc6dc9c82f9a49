import { CONDITION_EXTENSIONS } from '../conditions.ts'
import { deprecationOf, headersOf } from '../deprecation.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../errors.ts'
import {
  type Content,
  type ContractAddresses,
  HTML,
  type Operation,
  type Parameter,
  type Response,
  TAGS,
} from '../operation.ts'
import { DOCUMENTED_OPERATIONS } from '../operations.ts'
import type { ResponseHeader } from '../response-headers.ts'
import { WebhookEvent } from '../webhooks.ts'
import { Components, type Json } from './components.ts'
import type { OperationExamples } from './example.ts'
import { operationExamples } from './operation-examples.ts'
import type { ReplyCode } from './problem-examples.ts'
import { WEBHOOK_EVENT } from './webhook-examples.ts'

/** Version of the contract (specification, "Versioning" 1), not of the package. */
export const CONTRACT_VERSION = '1.0.0'

const DESCRIPTION = `Upload a seed dataset; it is cleaned and a model is trained on it. Then ask for synthetic rows that follow a scenario: target shares of levels and ranges of numeric columns.

Training and generation take time. A \`202\` is normal and names a job to poll. Every reply carries \`X-Request-Id\`. POSTs that create work take an \`Idempotency-Key\`; repeat them with the same key only. Errors are problem records (RFC 9457) with a stable \`code\`, explained at \`/errors/{code}\`. Clients must ignore unknown fields of replies, because new optional fields do not change the version.`

/** The OpenAPI 3.1.0 document of the service, made from the table of operations and the schemas of the contract. */
export function buildOpenApi(addresses: ContractAddresses): Json {
  const components = new Components(addresses.baseUrl)
  const examples = operationExamples(addresses)
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of DOCUMENTED_OPERATIONS) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = operationObject(
      operation,
      components,
      examples[operation.operationId] ?? {},
      addresses,
    )
    paths[operation.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Synthetic scenario data service',
      version: CONTRACT_VERSION,
      summary: 'Synthetic rows that follow a stated scenario.',
      description: DESCRIPTION,
      contact: { name: 'The guide of this service', url: `${addresses.baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: addresses.baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { event: { post: eventObject(components) } },
    components: {
      ...(addresses.takesExtensions === false ? withoutExtensions(components.toJson()) : components.toJson()),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token of POST /oauth/token.' },
        operator: { type: 'http', scheme: 'bearer', description: 'The operator token, if the operator routes are on.' },
      },
    },
  }
}

/** What receivers of webhooks get: the service is the client there. */
function eventObject(components: Components): Json {
  return {
    operationId: 'receiveEvent',
    tags: ['webhooks'],
    summary: 'An event, sent to a registered address',
    description:
      'In the form of Standard Webhooks, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.schema(WebhookEvent), example: WEBHOOK_EVENT } },
    },
    responses: {
      '2XX': { description: 'It has arrived.' },
      '4XX': { description: 'It is sent again later; after 410 never.' },
    },
  }
}

/** What the service does not take, its document does not have: clients find out before they send anything. */
function withoutExtensions(components: Json): Json {
  const schemas = components.schemas as Readonly<Record<string, Json>>
  const all = Object.entries(schemas.Conditions!.properties as Json)
  const properties = Object.fromEntries(all.filter(([name]) => !CONDITION_EXTENSIONS.some((one) => one === name)))
  return { ...components, schemas: { ...schemas, Conditions: { ...schemas.Conditions, properties } } }
}

/** One operation of the document. Everything that it refers to goes into `components`. */
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
    ...(deprecationOf(operation) !== null && { deprecated: true }),
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
  const deprecation = deprecationOf(operation)
  const ended = deprecation === null ? [] : headersOf(deprecation)
  for (const [status, response] of Object.entries(operation.responses)) {
    responses[status] = responseObject(response, ended, replyExample(examples, Number(status)), components)
  }
  for (const [status, codes] of codesByStatus(errorsOf(operation))) {
    const own = responses[status]
    responses[status] = own === undefined ? components.problemResponse(codes) : components.orProblem(own, codes)
  }
  if (operation.security !== 'none') responses['401'] = components.unauthorizedResponse()
  // A request that names no host, or several, gets this on any path.
  responses['400'] ??= components.transportResponse('malformed')
  if (readsBody(operation)) responses['408'] = components.transportResponse('timeout')
  return responses
}

const replyExample = ({ reply, responses }: OperationExamples, status: number): unknown =>
  status === 200 && reply !== undefined ? reply : responses?.[status]

function responseObject(
  response: Response,
  ended: readonly ResponseHeader[],
  example: unknown,
  components: Components,
): Json {
  return {
    description: response.description,
    headers: components.headers([...(response.headers ?? []), ...ended]),
    ...(response.content !== undefined && { content: contentObject(response.content, example, components) }),
  }
}

/** An example is a JSON value, so JSON and form bodies have it. HTML pages have none. */
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

/** The operation's own codes, and the codes for the inputs it reads: identifiers, a query, a body. */
function errorsOf(operation: Operation): Set<ErrorCode> {
  const { tag, parameters = [], request, errors = [], onAuthUrl } = operation
  const takes = (place: Parameter['in']) => parameters.some((parameter) => parameter.in === place)
  // The identity provider answers in OAuth form.
  const hasBody = readsBody(operation) && onAuthUrl !== true
  const isForm = request !== undefined && 'multipart/form-data' in request.content
  return new Set<ErrorCode>([
    // A path with invalid percent-encoding gets this.
    ...(takes('path') || takes('query') || hasBody ? (['svc_invalid_field'] as const) : []),
    ...errors,
    // An operator operation while the operator routes are off.
    ...(takes('path') || tag === 'operator' ? (['svc_not_found'] as const) : []),
    ...(hasBody
      ? ([isForm ? 'svc_file_too_large' : 'svc_body_too_large', 'svc_unsupported_content_type'] as const)
      : []),
    ...(tag === 'utility' ? [] : (['svc_rate_limited'] as const)),
    // A service that is closing answers every request with this code.
    'svc_internal',
    'svc_unavailable',
  ])
}

/** The body of any method that can have one is read, even if the operation needs none. */
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
