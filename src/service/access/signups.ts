import { DEFAULT_REQUEST_ROW_CAP, DEFAULT_RETENTION_HOURS, MAX_PENDING_SIGNUPS } from '../../contract/limits.ts'
import type { ClaimsWay } from '../settings/settings.ts'
import type { Queryable } from '../store/database.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import { type ClaimGround, issueClaimToken, type OpenClaimToken, openClaimToken } from './claim-tokens.ts'
import { hashAddress } from './secret-hash.ts'

export type SignupState = 'pending' | 'approved' | 'declined'

export interface SignupRow {
  readonly request_id: string
  readonly company_name: string
  readonly contact_email: string
  readonly status: SignupState
  readonly client_id: string | null
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string
  /** Time of the first claim. Null: none so far, or the version of the time did not record it. */
  readonly claimed_at: string | null
  /** Whether that claim came from another address than the signup; null if unknown. */
  readonly claimed_elsewhere: boolean | null
}

const COLUMNS = `request_id, company_name, contact_email, status, client_id, claimed_elsewhere,
  ${utcText('created_at')} as created_at, ${utcText('claimed_at')} as claimed_at`

/**
 * Records a request for access, or finds the pending or approved request of the same e-mail (`contactEmail` trimmed and
 * in lower case). A unique index resolves simultaneous requests. If the found request was approved and its claim token
 * expired unclaimed, a new token is made, unless the operator distributes the tokens. `full`: too many requests wait for
 * a decision.
 */
export async function requestAccess(
  ground: ClaimGround,
  request: {
    readonly companyName: string
    readonly contactEmail: string
    /** Address of the requesting peer. */
    readonly address: string
    readonly claims: ClaimsWay
  },
): Promise<{ requestId: string; status: SignupState; isNew: boolean } | 'full'> {
  // Another process may decline the found request between the two statements; then the insert succeeds the next time. If it
  // never does, there is no room.
  for (let attempt = 0; attempt < 5; attempt++) {
    const requestId = newIdentifier('req')
    const outcome = await ground.db.transaction(async (tx) => {
      const [made] = await tx.query<{ request_id: string }>(
        `insert into signups (request_id, company_name, contact_email, status, created_at, address_hash)
         select $1, $2, $3, 'pending', $4::timestamptz, $5
         where (select count(*) from signups where status = 'pending') < ${MAX_PENDING_SIGNUPS}
         on conflict (contact_email) where status in ('pending', 'approved') do nothing
         returning request_id`,
        [
          requestId,
          request.companyName,
          request.contactEmail,
          timestampOf(ground.now()),
          hashAddress(ground.keys.sealing, requestId, request.address),
        ],
      )
      if (made !== undefined) return { requestId: made.request_id, status: 'pending' as const, isNew: true }
      const [found] = await tx.query<Pick<SignupRow, 'request_id' | 'status' | 'client_id'>>(
        `select request_id, status, client_id from signups
         where contact_email = $1 and status in ('pending', 'approved')`,
        [request.contactEmail],
      )
      if (found === undefined) return null
      if (found.client_id !== null && request.claims === 'status')
        await reissueExpiredToken(ground, tx, found.client_id)
      return { requestId: found.request_id, status: found.status, isNew: false }
    })
    if (outcome !== null) return outcome
  }
  return 'full'
}

/** Declines at most `limit` requests that were made before and that nobody decided. Returns how many. */
export async function declineUndecided(
  { db, now }: Pick<ClaimGround, 'db' | 'now'>,
  { madeBeforeMs, limit }: { readonly madeBeforeMs: number; readonly limit: number },
): Promise<number> {
  const rows = await db.query(
    `update signups set status = 'declined', decided_at = $2::timestamptz, address_hash = null where request_id in (
       select request_id from signups where status = 'pending' and created_at < $1::timestamptz
       order by created_at limit ${limit} for update skip locked)
     returning 1`,
    [timestampOf(madeBeforeMs), timestampOf(now())],
  )
  return rows.length
}

/** Replaces an expired claim token, until the first claim only. The client's row is locked, so that two repeats make one token. */
async function reissueExpiredToken(ground: ClaimGround, tx: Queryable, clientId: string): Promise<void> {
  const [client] = await tx.query<{ secret_hash: string | null }>(
    'select secret_hash from clients where client_id = $1 for update',
    [clientId],
  )
  if (client?.secret_hash === null && (await openClaimToken(ground, tx, clientId)) === null) {
    await issueClaimToken(ground, tx, clientId)
  }
}

/** A signup with its claim token: null unless approved, unclaimed and unexpired. */
export async function readSignup(
  ground: ClaimGround,
  requestId: string,
): Promise<{ signup: SignupRow; claimToken: OpenClaimToken | null } | null> {
  const [signup] = await ground.db.query<SignupRow>(`select ${COLUMNS} from signups where request_id = $1`, [requestId])
  if (signup === undefined) return null
  const claimToken = signup.client_id === null ? null : await openClaimToken(ground, ground.db, signup.client_id)
  return { signup, claimToken }
}

export interface DecidedSignup {
  readonly signup: SignupRow
  /** False if the same decision had been made before. */
  readonly isNew: boolean
}

/**
 * The operator's decision. Repeating a decision changes nothing. `conflict` if the decision was different, `no_tenant`
 * if the named tenant does not exist. An approval makes a tenant (unless one is named), a client and its claim token in
 * one transaction.
 */
export async function decideSignup(
  ground: ClaimGround,
  requestId: string,
  decision: { readonly status: 'approved'; readonly tenantId: string | null } | { readonly status: 'declined' },
): Promise<DecidedSignup | 'unknown' | 'conflict' | 'no_tenant'> {
  return await ground.db.transaction(async (tx) => {
    const [signup] = await tx.query<SignupRow>(`select ${COLUMNS} from signups where request_id = $1 for update`, [
      requestId,
    ])
    if (signup === undefined) return 'unknown'
    if (signup.status !== 'pending') return signup.status === decision.status ? { signup, isNew: false } : 'conflict'
    const decidedAt = timestampOf(ground.now())
    let clientId: string | null = null
    if (decision.status === 'approved') {
      const tenantId = decision.tenantId ?? (await makeTenant(tx, signup.company_name, decidedAt))
      if ((await tx.query('select 1 from tenants where tenant_id = $1', [tenantId])).length === 0) return 'no_tenant'
      clientId = newIdentifier('cli')
      await tx.query('insert into clients (client_id, tenant_id, created_at) values ($1, $2, $3::timestamptz)', [
        clientId,
        tenantId,
        decidedAt,
      ])
      await issueClaimToken(ground, tx, clientId)
    }
    await tx.query(
      `update signups set status = $2, client_id = $3, decided_at = $4::timestamptz,
         address_hash = case when $2 = 'approved' then address_hash end
       where request_id = $1`,
      [requestId, decision.status, clientId, decidedAt],
    )
    return { signup: { ...signup, status: decision.status, client_id: clientId }, isNew: true }
  })
}

/** The claim token of an approved client, for the operator; a new one if it has expired. Null after a claim. */
export async function claimTokenForOperator(ground: ClaimGround, clientId: string): Promise<OpenClaimToken | null> {
  return await ground.db.transaction(async (tx) => {
    await reissueExpiredToken(ground, tx, clientId)
    return await openClaimToken(ground, tx, clientId)
  })
}

async function makeTenant(tx: Queryable, name: string, createdAt: string): Promise<string> {
  const tenantId = newIdentifier('ten')
  await tx.query(
    `insert into tenants (tenant_id, name, request_row_cap, retention_hours, created_at)
     values ($1, $2, $3, $4, $5::timestamptz)`,
    [tenantId, name, DEFAULT_REQUEST_ROW_CAP, DEFAULT_RETENTION_HOURS, createdAt],
  )
  return tenantId
}

/** Signups for the operator, newest first; `after` is the request id that the last page ended with. */
export async function listSignups(
  ground: ClaimGround,
  page: { readonly status: SignupState | null; readonly after: string | null; readonly limit: number },
): Promise<{ signups: readonly SignupRow[]; next: string | null }> {
  const parameters: unknown[] = [page.limit + 1]
  const parameter = (value: unknown): string => `$${parameters.push(value)}`
  const conditions = ['true']
  if (page.status !== null) conditions.push(`s.status = ${parameter(page.status)}`)
  if (page.after !== null) {
    conditions.push(`(s.created_at, s.request_id)
      < (select c.created_at, c.request_id from signups c where c.request_id = ${parameter(page.after)})`)
  }
  const rows = await ground.db.query<SignupRow>(
    `select ${COLUMNS} from signups s where ${conditions.join(' and ')}
     order by s.created_at desc, s.request_id desc limit $1`,
    parameters,
  )
  const signups = rows.slice(0, page.limit)
  return { signups, next: rows.length > page.limit ? (signups.at(-1)?.request_id ?? null) : null }
}
