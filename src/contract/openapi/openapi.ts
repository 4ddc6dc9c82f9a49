import { type ContractAddresses, TAGS } from '../operation.ts'
import { DOCUMENTED_OPERATIONS } from '../operations.ts'
import { Components, type Json } from './components.ts'
import { operationObject } from './openapi-operation.ts'
import { operationExamples } from './operation-examples.ts'

/** Version of the contract (specification, "Versioning" 1), not of the package. */
export const CONTRACT_VERSION = '1.0.0'

const DESCRIPTION = `Upload a seed dataset; it is cleaned and a model is trained on it. Then ask for synthetic rows that follow a scenario: target shares of levels and ranges of numeric columns.

Training and generation take time: a \`202\` is normal, and names a job to poll. Every reply carries \`X-Request-Id\`. POSTs that create work take an \`Idempotency-Key\`; repeat them with the same key only. Errors are problem records (RFC 9457) with a stable \`code\`, explained at \`/errors/{code}\`. Clients let unknown fields of replies through: new optional ones do not change the version.`

/** The OpenAPI 3.1.0 document of the service, made of the table of operations and the schemas of the contract. */
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
    components: {
      ...components.toJson(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token of POST /oauth/token.' },
        operator: { type: 'http', scheme: 'bearer', description: 'The operator token, where the operator is on.' },
      },
    },
  }
}
