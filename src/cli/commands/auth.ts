import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { claimCredentials, getSignupStatus, rotateCredentials, signUp } from '../../client/access.ts'
import { safeAddress } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { hideSecrets } from '../access/hide-secrets.ts'
import { ask, serviceOf } from '../access/service-call.ts'
import { readStoredEntry, type StoredEntry, writeStoredEntry } from '../access/stored-credentials.ts'
import { isForGitHub } from '../options/option-values.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'

export interface AuthFlags {
  readonly service?: string
  readonly json?: boolean
}

/** Declares `whatif auth`. */
export function declare(auth: Command, env: NodeJS.ProcessEnv): void {
  const add = (name: string, description: string) =>
    auth
      .command(name)
      .description(description)
      .option('--service <url>', 'address of the service (WHATIF_BASE_URL)')
      .option('--json', JSON_HELP)

  auth.description(
    'Get access to a service. Credentials are stored in your configuration folder, readable by you alone.',
  )
  add('signup', 'Ask for access.')
    .requiredOption('--company <name>', 'your company')
    .requiredOption('--email <address>', 'contact e-mail')
    .action(async (flags) => {
      process.exitCode = await authSignup(flags, env)
    })
  add('status', 'Show whether your request for access has been approved.').action(async (flags) => {
    process.exitCode = await authStatus(flags, env)
  })
  add(
    'claim',
    'Claim and store the credentials of an approved request, or those of the token in WHATIF_CLAIM_TOKEN.',
  ).action(async (flags) => {
    process.exitCode = await authClaim(flags, env)
  })
  add('rotate', 'Replace the stored secret with a new one, at most three times in 24 hours.').action(async (flags) => {
    process.exitCode = await authRotate(flags, env)
  })
}

/** Asks for access and stores the request id. */
export async function authSignup(
  flags: AuthFlags & { readonly company: string; readonly email: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const baseUrl = serviceOf(flags, env)
  const stored = await readStoredEntry(env, baseUrl)
  const { value } = await ask(signUp({ baseUrl }, { companyName: flags.company, contactEmail: flags.email }))
  await writeStoredEntry(env, baseUrl, { ...stored, service: baseUrl, request_id: value.request_id })
  const { status = null } = value
  const lines = [`request for access recorded at ${baseUrl}${status === null ? '' : ` (${status})`}`]
  return printLines('auth signup', flags, { service: baseUrl, status }, lines)
}

/** Shows the status of the request for access. The request id and the claim token give access, so neither is shown. */
export async function authStatus(flags: AuthFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const baseUrl = serviceOf(flags, env)
  const { requestId, stored } = await requestOf(env, baseUrl)
  const { value } = await ask(getSignupStatus({ baseUrl }, requestId))
  const { status } = value
  const clientId = stored.client_secret === undefined ? null : (stored.client_id ?? null)
  const isClaimable = value.credential_claim_token !== undefined
  const lines: string[] = [status]
  if (stored.client_secret !== undefined) lines.push(`credentials of ${stored.client_id} are stored`)
  else if (isClaimable) lines.push('run whatif auth claim to get the credentials')
  else if (status === 'approved') lines.push(GIVEN_BY_OPERATOR)
  return printLines(
    'auth status',
    flags,
    { service: baseUrl, status, claimable: isClaimable, client_id: clientId },
    lines,
  )
}

const GIVEN_BY_OPERATOR = 'If the operator gives you the claim token, set WHATIF_CLAIM_TOKEN and run whatif auth claim.'

/**
 * Redeems the claim token of an approved request and stores the credentials. A token from the operator is in
 * WHATIF_CLAIM_TOKEN: it is not an option, because a list of processes would show it.
 */
export async function authClaim(flags: AuthFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const baseUrl = serviceOf(flags, env)
  const given = env.WHATIF_CLAIM_TOKEN
  const clientId = given
    ? await claimAndStore(env, baseUrl, (await readStoredEntry(env, baseUrl)) ?? { service: baseUrl }, given)
    : await claimShown(env, baseUrl)
  const lines = ['credentials claimed and stored']
  return printLines('auth claim', flags, { service: baseUrl, client_id: clientId }, lines)
}

/** The claim with the token that the status of the request shows. */
async function claimShown(env: NodeJS.ProcessEnv, baseUrl: string): Promise<string> {
  const { requestId, stored } = await requestOf(env, baseUrl)
  const { value } = await ask(getSignupStatus({ baseUrl }, requestId))
  if (value.status !== 'approved')
    throw new SetupError(5, `the request for access is ${value.status}; there is nothing to claim`)
  if (value.credential_claim_token === undefined) {
    throw new SetupError(
      5,
      'the service shows no claim token: it was used or has expired, or the operator hands it out',
      `If the credentials were never claimed, run whatif auth signup again. ${GIVEN_BY_OPERATOR}`,
    )
  }
  return await claimAndStore(env, baseUrl, stored, value.credential_claim_token)
}

/** Rotates the stored secret: a new one is claimed and stored, and the old one stops working. */
export async function authRotate(flags: AuthFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const baseUrl = serviceOf(flags, env)
  const stored = await readStoredEntry(env, baseUrl)
  if (!stored?.client_id || !stored.client_secret || !stored.token_url) {
    throw new SetupError(5, `no credentials of ${baseUrl} are stored`, 'Run whatif auth claim first.')
  }
  const key = stored.rotation_key ?? randomUUID()
  // Stored before anything is sent: an interrupted rotation continues under its key and does not count twice.
  const begun = { ...stored, rotation_key: key }
  await writeStoredEntry(env, baseUrl, begun)
  const { value } = await ask(
    rotateCredentials(
      {
        baseUrl,
        tokenUrl: safeAddress(stored.token_url, 'identity provider'),
        audience: stored.audience ?? baseUrl,
        clientId: stored.client_id,
        clientSecret: stored.client_secret,
      },
      key,
    ),
  )
  try {
    await claimAndStore(env, baseUrl, begun, value.credential_claim_token)
  } catch (error) {
    // The token is void, expired or claimed by a try whose answer was lost. The next rotation must be a new one.
    if (error instanceof SetupError && error.exitCode !== 11) await writeStoredEntry(env, baseUrl, stored)
    throw error
  }
  const lines = ['secret rotated; the new one is stored, and the old one no longer works']
  return printLines('auth rotate', flags, { service: baseUrl, client_id: stored.client_id }, lines)
}

async function claimAndStore(
  env: NodeJS.ProcessEnv,
  baseUrl: string,
  stored: StoredEntry,
  token: string,
): Promise<string> {
  // The secret is sent only once, so whether it can be stored is tested before it is requested.
  await writeStoredEntry(env, baseUrl, stored)
  hideSecrets([token], isForGitHub(undefined, env))
  const { value } = await ask(claimCredentials({ baseUrl }, token))
  hideSecrets([value.client_secret], isForGitHub(undefined, env))
  const { rotation_key: _ended, ...rest } = stored
  const { client_id, client_secret, token_url, audience } = value
  await writeStoredEntry(env, baseUrl, { ...rest, client_id, client_secret, token_url, audience })
  return client_id
}

async function requestOf(
  env: NodeJS.ProcessEnv,
  baseUrl: string,
): Promise<{ readonly requestId: string; readonly stored: StoredEntry }> {
  const stored = await readStoredEntry(env, baseUrl)
  if (stored?.request_id === undefined) {
    throw new SetupError(5, `no request for access to ${baseUrl} is known here`, 'Run whatif auth signup first.')
  }
  return { requestId: stored.request_id, stored }
}

/** Prints a successful result, as a document without secrets or as lines. */
function printLines(command: string, flags: AuthFlags, data: object, lines: readonly string[]): number {
  return printResult(flags, { command, data }, () => lines.map((line) => `${line}\n`).join(''))
}
