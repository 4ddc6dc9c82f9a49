import { type Command, Option } from 'commander'
import { bytesOrDefault, listLength, positiveInteger, rowsOrNone } from './options/option-values.ts'

/** `whatif operator`: the operator's side of a service. The token is never a flag: a list of processes would show it. */
export function addOperatorCommands(
  operator: Command,
  env: NodeJS.ProcessEnv,
  finish: (exitCode: number) => void,
): Command {
  const commands = () => import('./commands/operator.ts')
  const add = (usage: string, description: string) =>
    operator
      .command(usage)
      .description(description)
      .option('--service <url>', 'the service (WHATIF_BASE_URL)')
      .option('--data <dir>', 'folder whose operator.token is used without WHATIF_OPERATOR_TOKEN', 'whatif-data')
      .option('--json', 'one JSON document on stdout')

  operator
    .summary('decide on signups, and set the limits of tenants')
    .description('Decide on signups and set limits of tenants, with the token in WHATIF_OPERATOR_TOKEN.')
  add('signups', 'List requests for access, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'approved', 'declined']))
    .action(async (flags) => finish(await (await commands()).operatorSignups(flags, env)))
  add('approve <request>', 'Approve a request for access.')
    .option('--tenant <id>', 'put it under this tenant; without one, a new tenant is made')
    .action(async (request, flags) => finish(await (await commands()).operatorApprove(request, flags, env)))
  add('decline <request>', 'Decline a request for access.').action(async (request, flags) =>
    finish(await (await commands()).operatorDecline(request, flags, env)),
  )
  add('tenants', 'List tenants with their clients, limits and rows used.').action(async (flags) =>
    finish(await (await commands()).operatorTenants(flags, env)),
  )
  add('quota <tenant>', "Set a tenant's limits; what is left out stays.")
    .option('--cap <rows>', 'largest row_count of one generation', positiveInteger)
    .option('--subscription <rows>', 'rows of the subscription, those used included; none for no limit', rowsOrNone)
    .option(
      '--stored <size>',
      'most that it may have stored, such as 20GiB; default for that of the service',
      bytesOrDefault,
    )
    .option('--artifact <size>', 'most that one artifact may take; default for that of the service', bytesOrDefault)
    .action(async (tenant, flags) => finish(await (await commands()).operatorQuota(tenant, flags, env)))
  add('retention <tenant> <hours>', 'Set how long datasets and generations made from now on are kept.').action(
    async (tenant, hours, flags, command: Command) => {
      const isHours = /^\d{1,4}$/.test(hours) && Number(hours) >= 1
      if (!isHours) command.error(`error: hours '${hours}' is invalid. Expected a whole number of at least 1.`)
      finish(await (await commands()).operatorRetention(tenant, Number(hours), flags, env))
    },
  )
  add('revoke-tokens <client>', 'Refuse every bearer token that a client has, at once.').action(async (client, flags) =>
    finish(await (await commands()).operatorRevoke(client, flags, env)),
  )
  add('jobs', 'List the jobs of all tenants that have not ended.')
    .option('--trouble', 'only those whose work broke off, and why')
    .action(async (flags) => finish(await (await commands()).operatorJobs(flags, env)))
  add('cancel <job>', 'Cancel a job that has not ended.').action(async (job, flags) =>
    finish(await (await commands()).operatorCancel(job, flags, env)),
  )
  add('log', 'Show what was done with the operator token.')
    .option('--last <n>', 'how many at most', positiveInteger, 50)
    .action(async (flags) => finish(await (await commands()).operatorLog(flags, env)))
  const sweeps = () => import('./commands/operator-sweeps.ts')
  add('sweeps', 'Show whether sweeps go on, and what can be taken back.').action(async (flags) =>
    finish(await (await sweeps()).operatorSweeps(flags, env)),
  )
  add('resume-sweeps', 'Let held sweeps go on.').action(async (flags) =>
    finish(await (await sweeps()).operatorResumeSweeps(flags, env)),
  )
  add('restore-expired', 'Take back what has expired and is not removed yet.')
    .option('--hours <n>', 'keep it for so long, at most 7 days from its creation; default 24', positiveInteger)
    .option('--tenant <id>', 'of this tenant alone')
    .action(async (flags) => finish(await (await sweeps()).operatorRestoreExpired(flags, env)))
  add('artifacts', 'List stored artifacts, the largest first.')
    .option('--tenant <id>', 'only those of this tenant')
    .option('--top <n>', 'how many, 1 to 100', listLength, 20)
    .action(async (flags) => finish(await (await commands()).operatorArtifacts(flags, env)))
  add('remove-artifact <ids...>', 'Remove artifacts at once.').action(async (generations, flags) =>
    finish(await (await commands()).operatorRemoveArtifacts(generations, flags, env)),
  )
  return operator
}
