import { bytesText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable } from '../../base/text/fit-text.ts'
import type { OperatorArtifact, SignupList } from '../../client/access-replies.ts'
import {
  approveSignup,
  cancelJob,
  declineSignup,
  listActions,
  listArtifacts,
  listSignups,
  listTenants,
  listUnfinishedJobs,
  type OperatorOptions,
  removeArtifact,
  revokeTokens,
  setTenantQuota,
  setTenantRetention,
} from '../../client/operator.ts'
import type { Reply } from '../../client/service-client.ts'
import { SetupError } from '../../local/setup-error.ts'
import { ask, serviceOf } from '../access/service-call.ts'
import { operatorTokenOf } from '../access/service-secrets.ts'
import { jsonDocument } from '../output/json-document.ts'
import {
  artifactsText,
  claimLines,
  day,
  decisionText,
  jobsText,
  tableWidth,
  tenantsText,
  withLines,
} from '../output/operator-text.ts'

export interface OperatorFlags {
  readonly service?: string
  /** Folder whose `operator.token` is used when the environment has none. */
  readonly data: string
  readonly json?: boolean
}

type Signup = SignupList['signups'][number]

const HINT =
  'Check the id; or the operator routes are off, because the service was started without WHATIF_OPERATOR_TOKEN.'

/** Requests for access, newest first. */
export async function operatorSignups(
  flags: OperatorFlags & { readonly status?: Signup['status'] },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const status = flags.status === undefined || flags.status === 'unknown' ? {} : { status: flags.status }
  const signups = await everyPage(flags, env, async (options, cursor) => {
    const { value } = await listSignups(options, { ...status, ...cursor })
    return { entries: value.signups, next: value.next_cursor }
  })
  return show(flags, 'operator signups', { signups }, () => {
    const table = textTable(
      [
        { title: 'REQUEST' },
        { title: 'STATUS' },
        { title: 'SINCE' },
        { title: 'COMPANY', mayShrink: true },
        { title: 'E-MAIL', mayShrink: true },
      ],
      signups.map((signup) => [
        signup.request_id,
        signup.status,
        day(signup.created_at),
        signup.company_name ?? '',
        signup.contact_email ?? '',
      ]),
      tableWidth(),
    )
    return withLines(table, (i) => claimLines(signups[i] as Signup))
  })
}

/** Approves a request for access, under a tenant of its own or an existing one. */
export async function operatorApprove(
  requestId: string,
  flags: OperatorFlags & { readonly tenant?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const decision = await callOperator(flags, env, (options) => approveSignup(options, requestId, flags.tenant))
  return show(flags, 'operator approve', decision, () => decisionText(requestId, decision))
}

export async function operatorDecline(
  requestId: string,
  flags: OperatorFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const decision = await callOperator(flags, env, (options) => declineSignup(options, requestId))
  return show(flags, 'operator decline', decision, () => decisionText(requestId, decision))
}

/** Tenants with their limits and use, newest first, and their clients below. */
export async function operatorTenants(flags: OperatorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const tenants = await everyPage(flags, env, async (options, cursor) => {
    const { value } = await listTenants(options, cursor)
    return { entries: value.tenants, next: value.next_cursor }
  })
  return show(flags, 'operator tenants', { tenants }, () => tenantsText(tenants))
}

/** Sets limits of a tenant: rows per request and of the subscription, bytes stored and of one artifact. */
export async function operatorQuota(
  tenantId: string,
  flags: OperatorFlags & {
    readonly cap?: number
    readonly subscription?: number | 'none'
    readonly stored?: number | 'default'
    readonly artifact?: number | 'default'
  },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { cap, subscription, stored, artifact } = flags
  if ([cap, subscription, stored, artifact].every((value) => value === undefined)) {
    throw new SetupError(2, 'nothing to set: give --cap, --subscription, --stored or --artifact')
  }
  const quota = {
    ...(cap !== undefined && { request_row_cap: cap }),
    ...(subscription !== undefined && { subscription_rows: subscription === 'none' ? null : subscription }),
    ...(stored !== undefined && { stored_bytes_limit: stored === 'default' ? null : stored }),
    ...(artifact !== undefined && { artifact_bytes_limit: artifact === 'default' ? null : artifact }),
  }
  const tenant = await callOperator(flags, env, (options) => setTenantQuota(options, tenantId, quota))
  return show(flags, 'operator quota', tenant, () => tenantsText([tenant]))
}

/** Sets how long a tenant's datasets and generations are kept, from now on. */
export async function operatorRetention(
  tenantId: string,
  hours: number,
  flags: OperatorFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const tenant = await callOperator(flags, env, (options) => setTenantRetention(options, tenantId, hours))
  return show(flags, 'operator retention', tenant, () => tenantsText([tenant]))
}

/** Refuses every bearer token that a client has. */
export async function operatorRevoke(clientId: string, flags: OperatorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const revocation = await callOperator(flags, env, (options) => revokeTokens(options, clientId))
  return show(flags, 'operator revoke-tokens', revocation, () => `${escapeText(clientId)}: tokens revoked\n`)
}

/** Jobs that have not ended, in the order in which they came, and below each what broke off its work. */
export async function operatorJobs(
  flags: OperatorFlags & { readonly trouble?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const filter = flags.trouble ? ({ trouble: 'true' } as const) : {}
  const jobs = await everyPage(flags, env, async (options, cursor) => {
    const { value } = await listUnfinishedJobs(options, { ...filter, ...cursor })
    return { entries: value.jobs, next: value.next_cursor }
  })
  return show(flags, 'operator jobs', { jobs }, () => jobsText(jobs))
}

/** Ends a job that goes on too long or should not have begun; prints the status it has then. */
export async function operatorCancel(jobId: string, flags: OperatorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const job = await callOperator(flags, env, (options) => cancelJob(options, jobId))
  return show(flags, 'operator cancel', job, () => `${escapeText(jobId)}: ${escapeText(job.status)}\n`)
}

/** What was done with the operator token, newest first. */
export async function operatorLog(
  flags: OperatorFlags & { readonly last: number },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const actions = await everyPage(
    flags,
    env,
    async (options, cursor) => {
      const { value } = await listActions(options, { limit: String(Math.min(100, flags.last)), ...cursor })
      return { entries: value.actions, next: value.next_cursor }
    },
    flags.last,
  )
  return show(flags, 'operator log', { actions }, () =>
    textTable(
      [{ title: 'WHEN' }, { title: 'WHAT' }, { title: 'STATUS' }, { title: 'ABOUT', mayShrink: true }],
      actions.map(({ at, operation, status, subject }) => [
        at?.slice(0, 19).replace('T', ' ') ?? '',
        operation,
        status === undefined ? 'no answer' : String(status),
        subject ?? '',
      ]),
      tableWidth(),
    ),
  )
}

/** The largest artifacts of one tenant or of all. */
export async function operatorArtifacts(
  flags: OperatorFlags & { readonly tenant?: string; readonly top: number },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const query = { limit: String(flags.top), ...(flags.tenant !== undefined && { tenant_id: flags.tenant }) }
  const { artifacts } = await callOperator(flags, env, (options) => listArtifacts(options, query))
  return show(flags, 'operator artifacts', { artifacts }, () => artifactsText(artifacts))
}

/** Removes artifacts one after the other; the first that is not there ends it. */
export async function operatorRemoveArtifacts(
  generationIds: readonly string[],
  flags: OperatorFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const removed: OperatorArtifact[] = []
  for (const id of generationIds) removed.push(await callOperator(flags, env, (options) => removeArtifact(options, id)))
  return show(flags, 'operator remove-artifact', { removed }, () =>
    removed.map(({ generation_id: id, bytes }) => `${escapeText(id)}: removed, ${bytesText(bytes ?? 0)}\n`).join(''),
  )
}

function optionsOf(flags: OperatorFlags, env: NodeJS.ProcessEnv): OperatorOptions {
  return { baseUrl: serviceOf(flags, env), operatorToken: operatorTokenOf(flags.data, env) }
}

/** Sends one request of the operator. */
export async function callOperator<T>(
  flags: OperatorFlags,
  env: NodeJS.ProcessEnv,
  send: (options: OperatorOptions) => Promise<Reply<T>>,
): Promise<T> {
  return (await ask(send(optionsOf(flags, env)), { ifNotFound: HINT })).value
}

/** The first entries of a list, page after page. A service that gives a cursor twice would never come to an end. */
async function everyPage<T>(
  flags: OperatorFlags,
  env: NodeJS.ProcessEnv,
  read: (
    options: OperatorOptions,
    cursor: { readonly cursor?: string },
  ) => Promise<{ readonly entries: readonly T[]; readonly next: string | undefined }>,
  atMost = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const options = optionsOf(flags, env)
  const all: T[] = []
  const seen = new Set<string>()
  for (let cursor: { readonly cursor?: string } = {}; ; ) {
    const { entries, next } = await ask(read(options, cursor))
    all.push(...entries)
    if (next === undefined || all.length >= atMost) return all.slice(0, atMost)
    if (seen.has(next)) throw new SetupError(11, 'the service gave the same page twice')
    seen.add(next)
    cursor = { cursor: next }
  }
}

/** Prints a reply: as one JSON document, or as text. */
export function show(flags: OperatorFlags, command: string, data: unknown, text: () => string): number {
  process.stdout.write(flags.json ? jsonDocument({ command, exitCode: 0, data, diagnostics: [] }) : text())
  return 0
}
