import { z } from 'zod'

/** GET /healthz: 200 when the database and the storage answer; 503 with the same shape when one of them does not. */
export const Health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    clock: z.string().optional().describe('Present while the clock of the machine is wrong: the consequences.'),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** GET /, for clients: the addresses of the documents, relative to the service's own address. */
export const ServiceIndex = z
  .object({
    service: z.string(),
    version: z.string(),
    openapi: z.string(),
    health: z.string(),
    docs: z.string().describe('The guide, a page for people.'),
    reference: z.string().describe('The interactive reference, a page for people.'),
    errors: z.string().describe('The error catalogue.'),
    guide: z.string().describe('The guide as plain text, for programs.'),
    signup: z.string(),
    token_url: z.string().optional().describe('Absent if another identity provider mints the tokens.'),
  })
  .meta({ id: 'ServiceIndex' })
export type ServiceIndex = z.infer<typeof ServiceIndex>

/** The index's paths, which are the same for every service. */
export const INDEX_PATHS = {
  openapi: '/openapi.json',
  health: '/healthz',
  docs: '/docs',
  reference: '/__docs__/',
  errors: '/errors',
  guide: '/llms.txt',
  signup: '/v1/signup',
} as const satisfies Partial<ServiceIndex>
