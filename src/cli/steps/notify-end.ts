import { setTimeout as delay } from 'node:timers/promises'
import { countText, plural } from '../../base/text/amount-text.ts'
import { isLoopback } from '../../client/address-rules.ts'
import { networkFault } from '../../client/network-fault.ts'
import { createTransport, type Transport } from '../../client/transport.ts'
import { SetupError } from '../../local/setup-error.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import type { RunResult } from '../../runner/interface/run-options.ts'

/** Where the end of a run is told. Both come from the environment: a study must not choose who learns of it. */
export interface Notification {
  readonly url: URL
  /** Signs the message in the form of Standard Webhooks; null: it has no signature. */
  readonly secret: string | null
}

/** Waits before the second and the third attempt, in milliseconds. */
const WAITS_MS = [1_000, 5_000]
/** Of one attempt, to the headers of the answer. */
const ATTEMPT_MS = 10_000

/**
 * What `WHATIF_NOTIFY_URL` and `WHATIF_NOTIFY_SECRET` ask for; null: nothing. Read before a run begins, so that a
 * mistyped address is not found after hours. Messages never repeat the address: chat systems put their secret into it.
 *
 * @throws SetupError
 */
export function notificationOf(env: NodeJS.ProcessEnv): Notification | null {
  const { WHATIF_NOTIFY_URL: address, WHATIF_NOTIFY_SECRET: secret } = env
  if (!address) {
    if (secret) throw wrong('WHATIF_NOTIFY_SECRET is set, but no WHATIF_NOTIFY_URL')
    return null
  }
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null) throw wrong('WHATIF_NOTIFY_URL is not an address')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw wrong('WHATIF_NOTIFY_URL must be an https address, or http on this machine')
  if (url.username !== '' || url.password !== '') throw wrong('WHATIF_NOTIFY_URL must not hold a user name or password')
  if (secret && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw wrong('WHATIF_NOTIFY_SECRET is not a secret of Standard Webhooks: whsec_ and at least 24 bytes in Base64')
  return { url, secret: secret || null }
}

const wrong = (what: string): SetupError =>
  new SetupError(
    EXIT_CODES.usage,
    what,
    'Correct the variable, or unset it. docs/commands.md says more under "A run’s end".',
  )

/** Names, counts and the digest of the manifest; no rows, no addresses. `text` is what chat systems show. */
export function notificationBody(
  command: string,
  { manifest, ...result }: RunResult,
  gatesFailed: number,
  nowMs: number,
): string {
  const { study, totals, run } = manifest
  const { exitCode, reason, digest, message } = result
  const how = exitCode === 0 ? 'done' : `ended with exit code ${exitCode} (${reason})`
  const rows = `${countText(totals.rows_generated)} of ${countText(totals.rows_requested)} rows`
  const scenarios = `${countText(totals.ready)} of ${countText(totals.scenarios)} scenarios ready`
  const failed = gatesFailed > 0 ? `, ${plural(gatesFailed, 'gate')} failed` : ''
  return JSON.stringify({
    type: 'run.finished',
    timestamp: new Date(nowMs).toISOString(),
    text: `whatif ${command} ${study.name}: ${how}; ${scenarios}, ${rows}${failed}`,
    data: {
      command,
      study: study.name,
      study_digest: study.digest,
      run_id: run.id,
      status: manifest.status,
      exit_code: exitCode,
      reason,
      also: result.also,
      message,
      totals,
      gates_failed: gatesFailed,
      rows_billable: run.rows_billable,
      started_at: run.started_at,
      finished_at: run.finished_at,
      manifest_digest: digest,
    },
  })
}

/**
 * Posts the message. A failure of the network, 429 and 5xx are tried again, twice. Returns why it failed, or null; the
 * run's exit code does not depend on it. The reason names the host alone.
 */
export async function sendNotification(
  { url, secret }: Notification,
  body: string,
  { runId, nowMs, waitsMs = WAITS_MS }: SendOptions,
): Promise<string | null> {
  const id = `msg_${runId}`
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
  }
  if (secret !== null) {
    const { Webhook } = await import('standardwebhooks')
    headers['webhook-signature'] = new Webhook(secret).sign(id, new Date(nowMs), body)
  }
  const transport = createTransport({
    timeouts: { connectMs: ATTEMPT_MS, headersMs: ATTEMPT_MS, bodyIdleMs: ATTEMPT_MS },
  })
  try {
    for (let attempt = 0; ; attempt++) {
      const { why, mayRepeat } = await post(transport, url, headers, body)
      if (why === null) return null
      const waitMs = waitsMs[attempt]
      if (!mayRepeat || waitMs === undefined)
        return `${url.host} was not told of the end of the run: ${why}. The run itself is unaffected`
      await delay(waitMs)
    }
  } finally {
    await transport.close()
  }
}

interface SendOptions {
  readonly runId: string
  readonly nowMs: number
  /** Default: 1 s, then 5 s. */
  readonly waitsMs?: readonly number[]
}

async function post(
  transport: Transport,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly why: string | null; readonly mayRepeat: boolean }> {
  try {
    const reply = await transport.open({ method: 'POST', url, headers, body }, transport.closing)
    // Only the status counts.
    reply.body.destroy()
    const { status } = reply
    if (status >= 200 && status < 300) return { why: null, mayRepeat: false }
    return { why: `it answered ${status}`, mayRepeat: status === 429 || status >= 500 }
  } catch (error) {
    const { why, permanent } = networkFault(error)
    return { why, mayRepeat: !permanent }
  }
}
