import { code, type Document, list, text } from './document.ts'
import type { GuideFacts } from './limits-table.ts'

/** `/` for people. */
export function startDocument({ baseUrl, version }: GuideFacts): Document {
  return {
    title: 'Synthetic scenario data service',
    lead: 'Synthetic rows that follow a scenario: upload a dataset, read its cleaned schema, request generations.',
    sections: [
      {
        id: 'documents',
        title: 'Contents',
        blocks: [
          list(
            '[Guide](/docs): what the service does, and the steps from signup to a file of rows.',
            '[Reference](/__docs__/): every operation, to try in the browser.',
            '[Errors](/errors): cause and fix of every code.',
            '[OpenAPI document](/openapi.json): the contract, for client generators.',
            '[llms.txt](/llms.txt) and [llms-full.txt](/llms-full.txt): the guide for programs.',
            '[Health](/healthz)',
          ),
        ],
      },
      {
        id: 'access',
        title: 'Access',
        blocks: [
          text('Access begins with a request, which the operator of this service approves:'),
          code(
            'sh',
            `
curl -sS ${baseUrl}/v1/signup -H 'Content-Type: application/json' \\
  -d '{"company_name": "…", "contact_email": "…"}'`,
          ),
          text(`This is version \`${version}\` of the whatif service.`),
        ],
      },
    ],
  }
}

/** The page for a missing address. */
export function missingDocument(requestId: string): Document {
  return {
    title: 'There is no such page',
    lead: 'The service has nothing at this address. It may be misspelt.',
    sections: [
      {
        id: 'documents',
        title: 'Contents',
        blocks: [
          list(
            '[Start](/): what this service is, and how to ask for access.',
            '[Guide](/docs): the steps from signup to a file of rows.',
            '[Reference](/__docs__/): every operation, to try in the browser.',
            '[Errors](/errors): cause and fix of every code.',
          ),
          text(`The id of this request is \`${requestId}\`. Mention it if you ask the operator of the service.`),
        ],
      },
    ],
  }
}
