import { bytesText, countText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable } from '../../base/text/fit-text.ts'
import type {
  ActionList,
  OperatorArtifact,
  OperatorTenant,
  RestoredCounts,
  SignupDecision,
  SignupList,
  SweepState,
  UnfinishedJobs,
} from '../../client/access-replies.ts'

/** Requests for access. */
export function signupsText(signups: SignupList['signups']): string {
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
  return withLines(table, (i) => claimLines(signups[i]!))
}

/** What was done with the operator token. */
export function actionsText(actions: ActionList['actions']): string {
  return textTable(
    [{ title: 'WHEN' }, { title: 'WHAT' }, { title: 'STATUS' }, { title: 'ABOUT', mayShrink: true }],
    actions.map(({ at, operation, status, subject }) => [
      at?.slice(0, 19).replace('T', ' ') ?? '',
      operation,
      status === undefined ? 'no answer' : String(status),
      subject ?? '',
    ]),
    tableWidth(),
  )
}

/** Tenants with their limits and use, and their clients below. */
export function tenantsText(tenants: readonly OperatorTenant[]): string {
  const table = textTable(
    [
      { title: 'TENANT' },
      { title: 'NAME', mayShrink: true },
      { title: 'USED', align: 'right' },
      { title: 'OF', align: 'right' },
      { title: 'PER REQUEST', align: 'right' },
      { title: 'STORED', align: 'right' },
      { title: 'KEPT', align: 'right' },
    ],
    tenants.map((tenant) => [
      tenant.tenant_id,
      tenant.name ?? '',
      amount(tenant.rows_used),
      tenant.subscription_rows === undefined ? 'no limit' : countText(tenant.subscription_rows),
      amount(tenant.request_row_cap),
      tenant.bytes_stored === undefined ? '' : bytesText(tenant.bytes_stored),
      tenant.retention_hours === undefined ? '' : `${tenant.retention_hours} h`,
    ]),
    tableWidth(),
  )
  return withLines(table, (i) => (tenants[i]?.client_ids ?? []).map((client) => `  client ${escapeText(client)}`))
}

/** Unfinished jobs, and below each what broke it off. */
export function jobsText(jobs: UnfinishedJobs['jobs']): string {
  const table = textTable(
    [
      { title: 'JOB' },
      { title: 'TENANT' },
      { title: 'KIND' },
      { title: 'STATUS' },
      { title: 'SINCE' },
      { title: 'BEGUN', align: 'right' },
      { title: 'DEADLINE' },
    ],
    jobs.map((job) => [
      job.job_id,
      job.tenant_id ?? '',
      job.kind ?? '',
      job.status ?? '',
      minute(job.created_at),
      amount(job.attempts),
      minute(job.deadline_at),
    ]),
    tableWidth(),
  )
  return withLines(table, (i) => {
    const { trouble, setbacks, paused_until: pausedUntil } = jobs[i] ?? {}
    if (trouble === undefined) return []
    const until = pausedUntil === undefined ? '' : `; waits until ${minute(pausedUntil)}`
    return [`  broke off ${setbacks ?? 1} x: ${escapeText(trouble)}${until}`]
  })
}

/** Stored artifacts with their size. */
export function artifactsText(artifacts: readonly OperatorArtifact[]): string {
  return textTable(
    [
      { title: 'GENERATION' },
      { title: 'SIZE', align: 'right' },
      { title: 'ROWS', align: 'right' },
      { title: 'FORMAT' },
      { title: 'EXPIRES' },
      { title: 'TENANT' },
    ],
    artifacts.map((artifact) => [
      artifact.generation_id,
      artifact.bytes === undefined ? '' : bytesText(artifact.bytes),
      amount(artifact.rows_generated),
      artifact.output_format ?? '',
      minute(artifact.expires_at),
      artifact.tenant_id ?? '',
    ]),
    tableWidth(),
  )
}

/** What was decided on a request for access, with its claim token where the operator hands it out. */
export function decisionText(requestId: string, decision: SignupDecision): string {
  const { status, client_id: clientId, credential_claim_token: token, claim_expires_at: until } = decision
  const line = `${escapeText(requestId)}: ${status}${clientId === undefined ? '' : `, client ${escapeText(clientId)}`}\n`
  if (token === undefined) return line
  return `${line}claim token${until === undefined ? '' : `, until ${day(until)}`}: ${escapeText(token)}
Give it to the contact in a way that nobody else reads. It is claimed with
WHATIF_CLAIM_TOKEN=... whatif auth claim
`
}

/** A first claim from another address than the request for access deserves attention. */
function claimLines({
  claimed_at: claimedAt,
  claimed_elsewhere: isElsewhere,
}: SignupList['signups'][number]): string[] {
  return isElsewhere === true ? [`  claimed elsewhere: from another address, on ${day(claimedAt)}`] : []
}

/** A table with lines below the rows that have some. */
function withLines(table: string, linesOf: (row: number) => readonly string[]): string {
  const [head = '', ...rows] = table.trimEnd().split('\n')
  return `${[head, ...rows.flatMap((row, i) => [row, ...linesOf(i)])].join('\n')}\n`
}

const amount = (value: number | undefined) => (value === undefined ? '' : countText(value))
const day = (time: string | undefined) => time?.slice(0, 10) ?? ''
const minute = (time: string | undefined) => time?.slice(0, 16).replace('T', ' ') ?? ''
const tableWidth = () => process.stdout.columns ?? 80

/** Whether sweeps are held, and what can be restored. */
export function sweepText({ held, restorable }: SweepState): string {
  const kept = `expired and not removed yet: ${amounts(restorable ?? { datasets: undefined, generations: undefined })}\n`
  if (held === undefined) return `Sweeps are running.\n${kept}`
  return [
    `Sweeps have been held since ${held.since ?? 'an unknown time'}. They remove nothing.`,
    `${countText(held.due ?? 0)} datasets and generations expired while no process watched; ${countText(held.living ?? 0)} have not expired.`,
    'Either the service was off, or the clock of the database has jumped.',
    'If that clock is right, type: whatif operator resume-sweeps',
    'To keep them for another day, type: whatif operator restore-expired',
    kept,
  ].join('\n')
}

export const restoredText = (restored: RestoredCounts): string => `restored: ${amounts(restored)}\n`

const amounts = ({ datasets = 0, generations = 0 }: RestoredCounts): string =>
  `${plural(datasets, 'dataset')}, ${plural(generations, 'generation')}`
