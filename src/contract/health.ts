import { z } from 'zod'

/** GET /healthz: 200 when database and storage answer, 503 with the same shape when one does not. */
export const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() }).meta({ id: 'Health' })
export type Health = z.infer<typeof Health>
