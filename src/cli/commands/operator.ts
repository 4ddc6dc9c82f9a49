import { type Command, Option } from 'commander'
import { bytesText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { OperatorArtifact } from '../../client/access-replies.ts'
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
  restoreExpired,
  resumeSweeps,
  revokeTokens,
  setTenantQuota,
  setTenantRetention,
  sweepState,
} from '../../client/operator.ts'
import type { Reply } from '../../client/service-client.ts'
import { SetupError } from '../../local/setup-error.ts'
import { ask, serviceOf } from '../access/service-call.ts'
import { operatorTokenOf } from '../access/service-secrets.ts'
import { bytesOrDefault, listLength, positiveInteger, rowsOrNone } from '../options/option-values.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import {
  actionsText,
  artifactsText,
  decisionText,
  jobsText,
  restoredText,
  signupsText,
  sweepText,
  tenantsText,
} from '../output/operator-text.ts'

interface OperatorFlags {
  readonly service?: string
  /** Folder whose `operator.token` is used when the environment has none. */
  readonly data: string
  readonly json?: boolean
}

/** A reply as a document and as text. */
interface Answer {
  readonly data: object
  readonly text: () => string
}

/** Sends requests of the operator. */
interface OperatorCalls {
  /** Sends one request. */
  one<T>(send: (options: OperatorOptions) => Promise<Reply<T>>): Promise<T>
  /** Reads a list page after page, up to `atMost` entries. */
  pages<T>(
    read: (
      options: OperatorOptions,
      cursor: { readonly cursor?: string },
    ) => Promise<readonly [entries: readonly T[], next: string | undefined]>,
    atMost?: number,
  ): Promise<T[]>
}

/** Declares `whatif operator`. The token is never an option, because a list of processes would show it. */
export function declare(operator: Command, env: NodeJS.ProcessEnv): void {
  operator.description('Decide on signups and set the limits of tenants, with the token in WHATIF_OPERATOR_TOKEN.')

  /** Declares one command. `answer` gets its options and arguments. */
  const add = <F>(
    usage: string,
    description: string,
    answer: (calls: OperatorCalls, flags: F, ...args: string[]) => Promise<Answer>,
  ): Command =>
    operator
      .command(usage)
      .description(description)
      .option('--service <url>', 'address of the service (WHATIF_BASE_URL)')
      .option('--data <dir>', 'folder whose operator.token is used without WHATIF_OPERATOR_TOKEN', 'whatif-data')
      .option('--json', JSON_HELP)
      .action(async (...given) => {
        const command: Command = given.at(-1)
        const flags = command.opts<OperatorFlags & F>()
        const { data, text } = await answer(callsOf(flags, env), flags, ...command.args)
        process.exitCode = printResult(flags, { command: `operator ${command.name()}`, data }, text)
      })

  add<{ status?: 'pending' | 'approved' | 'declined' }>(
    'signups',
    'List requests for access, newest first.',
    async (calls, { status }) => {
      const signups = await calls.pages(async (options, cursor) => {
        const { value } = await listSignups(options, { ...(status !== undefined && { status }), ...cursor })
        return [value.signups, value.next_cursor]
      })
      return { data: { signups }, text: () => signupsText(signups) }
    },
  ).addOption(new Option('--status <status>', 'only these').choices(['pending', 'approved', 'declined']))

  add<{ tenant?: string }>('approve <request>', 'Approve a request for access.', async (calls, { tenant }, id = '') => {
    const decision = await calls.one((options) => approveSignup(options, id, tenant))
    return { data: decision, text: () => decisionText(id, decision) }
  }).option('--tenant <id>', 'put it under this tenant; without one, a new tenant is made')

  add('decline <request>', 'Decline a request for access.', async (calls, _flags, id = '') => {
    const decision = await calls.one((options) => declineSignup(options, id))
    return { data: decision, text: () => decisionText(id, decision) }
  })

  add('tenants', 'List tenants with their clients, limits and used rows, newest first.', async (calls) => {
    const tenants = await calls.pages(async (options, cursor) => {
      const { value } = await listTenants(options, cursor)
      return [value.tenants, value.next_cursor]
    })
    return { data: { tenants }, text: () => tenantsText(tenants) }
  })

  add<QuotaFlags>(
    'quota <tenant>',
    "Set a tenant's limits. Limits that are not named stay as they are.",
    async (calls, flags, id = '') => {
      const quota = quotaOf(flags)
      const tenant = await calls.one((options) => setTenantQuota(options, id, quota))
      return { data: tenant, text: () => tenantsText([tenant]) }
    },
  )
    .option('--cap <rows>', 'largest row_count of one generation', positiveInteger)
    .option('--subscription <rows>', 'rows of the subscription, including used ones; none for no limit', rowsOrNone)
    .option(
      '--stored <size>',
      "most that the tenant may have stored, such as 20GiB; default for the service's own limit",
      bytesOrDefault,
    )
    .option('--artifact <size>', "largest artifact; default for the service's own limit", bytesOrDefault)

  add(
    'retention <tenant> <hours>',
    'Set how long datasets and generations made from now on are kept.',
    async (calls, _flags, id = '', text = '') => {
      const hours = /^\d{1,4}$/.test(text) ? Number(text) : 0
      if (hours < 1)
        throw new SetupError(2, `hours '${escapeText(text)}' is invalid. Expected a whole number of at least 1.`)
      const tenant = await calls.one((options) => setTenantRetention(options, id, hours))
      return { data: tenant, text: () => tenantsText([tenant]) }
    },
  )

  add('revoke-tokens <client>', 'Refuse every bearer token of a client, at once.', async (calls, _flags, id = '') => {
    const revocation = await calls.one((options) => revokeTokens(options, id))
    return { data: revocation, text: () => `${escapeText(id)}: tokens revoked\n` }
  })

  add<{ trouble?: boolean }>(
    'jobs',
    'List unfinished jobs of all tenants, oldest first.',
    async (calls, { trouble }) => {
      const filter = trouble ? ({ trouble: 'true' } as const) : {}
      const jobs = await calls.pages(async (options, cursor) => {
        const { value } = await listUnfinishedJobs(options, { ...filter, ...cursor })
        return [value.jobs, value.next_cursor]
      })
      return { data: { jobs }, text: () => jobsText(jobs) }
    },
  ).option('--trouble', 'only jobs that broke off, and why')

  add('cancel <job>', 'Cancel an unfinished job.', async (calls, _flags, id = '') => {
    const job = await calls.one((options) => cancelJob(options, id))
    return { data: job, text: () => `${escapeText(id)}: ${escapeText(job.status)}\n` }
  })

  add<{ last: number }>('log', 'Show what was done with the operator token, newest first.', async (calls, { last }) => {
    const actions = await calls.pages(async (options, cursor) => {
      const { value } = await listActions(options, { limit: String(Math.min(100, last)), ...cursor })
      return [value.actions, value.next_cursor]
    }, last)
    return { data: { actions }, text: () => actionsText(actions) }
  }).option('--last <n>', 'how many at most', positiveInteger, 50)

  add('sweeps', 'Show whether sweeps are held, and what can be restored.', async (calls) => {
    const state = await calls.one(sweepState)
    return { data: state, text: () => sweepText(state) }
  })

  add('resume-sweeps', 'Let held sweeps continue.', async (calls) => {
    const state = await calls.one(resumeSweeps)
    return { data: state, text: () => sweepText(state) }
  })

  add<{ hours?: number; tenant?: string }>(
    'restore-expired',
    'Restore what has expired and has not been removed yet.',
    async (calls, { hours, tenant }) => {
      const wanted = { ...(hours !== undefined && { hours }), ...(tenant !== undefined && { tenant_id: tenant }) }
      const restored = await calls.one((options) => restoreExpired(options, wanted))
      return { data: restored, text: () => restoredText(restored) }
    },
  )
    .option('--hours <n>', 'keep it this long, at most 7 days from its creation; default 24', positiveInteger)
    .option('--tenant <id>', 'only what belongs to this tenant')

  add<{ tenant?: string; top: number }>(
    'artifacts',
    'List stored artifacts, largest first.',
    async (calls, { tenant, top }) => {
      const query = { limit: String(top), ...(tenant !== undefined && { tenant_id: tenant }) }
      const { artifacts } = await calls.one((options) => listArtifacts(options, query))
      return { data: { artifacts }, text: () => artifactsText(artifacts) }
    },
  )
    .option('--tenant <id>', 'only those of this tenant')
    .option('--top <n>', 'how many, 1 to 100', listLength, 20)

  add('remove-artifact <ids...>', 'Remove artifacts at once.', async (calls, _flags, ...ids) => {
    const removed: OperatorArtifact[] = []
    // One after the other: the first that does not exist ends it.
    for (const id of ids) removed.push(await calls.one((options) => removeArtifact(options, id)))
    const lineOf = ({ generation_id: id, bytes }: OperatorArtifact) =>
      `${escapeText(id)}: removed, ${bytesText(bytes ?? 0)}\n`
    return { data: { removed }, text: () => removed.map(lineOf).join('') }
  })
}

interface QuotaFlags {
  readonly cap?: number
  readonly subscription?: number | 'none'
  readonly stored?: number | 'default'
  readonly artifact?: number | 'default'
}

function quotaOf({ cap, subscription, stored, artifact }: QuotaFlags) {
  if ([cap, subscription, stored, artifact].every((value) => value === undefined))
    throw new SetupError(2, 'nothing to set: give --cap, --subscription, --stored or --artifact')
  return {
    ...(cap !== undefined && { request_row_cap: cap }),
    ...(subscription !== undefined && { subscription_rows: subscription === 'none' ? null : subscription }),
    ...(stored !== undefined && { stored_bytes_limit: stored === 'default' ? null : stored }),
    ...(artifact !== undefined && { artifact_bytes_limit: artifact === 'default' ? null : artifact }),
  }
}

const NOT_FOUND_HINT =
  'Check the id. If the service was started without WHATIF_OPERATOR_TOKEN, its operator routes are off.'

function callsOf(flags: OperatorFlags, env: NodeJS.ProcessEnv): OperatorCalls {
  const optionsOf = (): OperatorOptions => ({
    baseUrl: serviceOf(flags, env),
    operatorToken: operatorTokenOf(flags.data, env),
  })
  return {
    async one(send) {
      return (await ask(send(optionsOf()), { ifNotFound: NOT_FOUND_HINT })).value
    },
    async pages(read, atMost = Number.POSITIVE_INFINITY) {
      const options = optionsOf()
      const all = []
      const seen = new Set<string>()
      for (let cursor: { readonly cursor?: string } = {}; ; ) {
        const [entries, next] = await ask(read(options, cursor))
        all.push(...entries)
        if (next === undefined || all.length >= atMost) return all.slice(0, atMost)
        // A service that repeats a cursor would keep this going for ever.
        if (seen.has(next)) throw new SetupError(11, 'the service sent the same page twice')
        seen.add(next)
        cursor = { cursor: next }
      }
    },
  }
}
