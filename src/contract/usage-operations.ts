import { json, type Operation } from './operation.ts'
import { Usage } from './usage.ts'

/** What a tenant can ask about itself. */
export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    tag: 'usage',
    summary: 'What the tenant uses, and its limits',
    description:
      'Extension: not in the specification. Rows billed and reserved beside the subscription, bytes stored beside their limit, and how many datasets, generations and artifacts there are. The figures are of this moment, of all clients of the tenant.',
    security: 'bearer',
    responses: { 200: { description: 'The usage.', content: json(Usage) } },
  },
]
