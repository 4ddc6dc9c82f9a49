import { countText } from '../../base/text/amount-text.ts'
import type { RestoredCounts, SweepState } from '../../client/access-replies.ts'
import { restoreExpired, resumeSweeps, sweepState } from '../../client/operator.ts'
import { callOperator, type OperatorFlags, show } from './operator.ts'

/** Whether sweeps go on, and what can be taken back. */
export async function operatorSweeps(flags: OperatorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const state = await callOperator(flags, env, sweepState)
  return show(flags, 'operator sweeps', state, () => stateText(state))
}

/** Lets held sweeps go on. */
export async function operatorResumeSweeps(flags: OperatorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const state = await callOperator(flags, env, resumeSweeps)
  return show(flags, 'operator resume-sweeps', state, () => stateText(state))
}

/** Takes back what has expired and is not removed yet. */
export async function operatorRestoreExpired(
  flags: OperatorFlags & { readonly hours?: number; readonly tenant?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const wanted = {
    ...(flags.hours !== undefined && { hours: flags.hours }),
    ...(flags.tenant !== undefined && { tenant_id: flags.tenant }),
  }
  const restored = await callOperator(flags, env, (options) => restoreExpired(options, wanted))
  return show(flags, 'operator restore-expired', restored, () => `taken back: ${amounts(restored)}\n`)
}

function stateText({ held, restorable }: SweepState): string {
  const kept = `expired and not removed yet: ${amounts(restorable ?? { datasets: undefined, generations: undefined })}\n`
  if (held === undefined) return `Sweeps go on.\n${kept}`
  const due = countText(held.due ?? 0)
  return [
    `Sweeps are held since ${held.since ?? 'an unknown time'}. They remove nothing.`,
    `${due} datasets and generations expired while nobody watched, ${countText(held.living ?? 0)} have not.`,
    'Either the service was off, or the clock of the database has jumped.',
    'If that clock is right, type: whatif operator resume-sweeps',
    'To keep them for another day, type: whatif operator restore-expired',
    kept,
  ].join('\n')
}

const amounts = ({ datasets = 0, generations = 0 }: RestoredCounts): string =>
  `${countText(datasets)} datasets, ${countText(generations)} generations`
