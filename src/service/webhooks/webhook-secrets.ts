import { type KeyObject, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { seal, unseal } from '../keys/sealing.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

/** A new secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Encrypts a secret for one webhook: signing needs it as it is, so a hash would not do. */
export function sealSecret(sealing: KeyObject, secret: string, webhookId: string): string {
  return seal(sealing, secret, purposeOf(webhookId))
}

export interface Signed {
  readonly messageId: string
  readonly atMs: number
  readonly body: string
}

/**
 * The header `webhook-signature`: a signature by each secret that counts.
 *
 * @throws Error for a secret that this service did not seal.
 */
export function signatureOf(
  sealing: KeyObject,
  webhookId: string,
  sealed: readonly string[],
  { messageId, atMs, body }: Signed,
): string {
  const signatures = sealed.map((text) => {
    const secret = unseal(sealing, text, purposeOf(webhookId))
    if (secret === null) throw new Error('The secret of a webhook does not open: another key sealed it.')
    return new Webhook(secret).sign(messageId, new Date(atMs), body)
  })
  return signatures.join(' ')
}

function purposeOf(webhookId: string): string {
  return `webhook ${webhookId}`
}
