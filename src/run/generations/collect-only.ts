import type { Plan, ScenarioPlan } from '../../plan/plan.ts'
import { announce } from '../session/end-scenario.ts'
import type { RunContext } from '../session/run-context.ts'
import { collectPending, isCollectable } from './collect-work.ts'
import { generateAll, generates } from './generate-all.ts'

/**
 * A run that submits nothing: work of earlier runs is polled and fetched with GETs, what lies on the disk is taken as it
 * is, and the rest is left for a run that may submit.
 */
export async function collectOnly(context: RunContext, first: Plan): Promise<void> {
  if (first.scenarios.some(isCollectable)) {
    await context.client()
    await collectPending(context, first)
  }
  const plan = context.replan()
  for (const scenario of plan.scenarios) {
    if (generates(scenario) && !context.ends.has(scenario.id)) leave(context, scenario)
    // Sending it again can be what buys it.
    else if (scenario.action.kind === 'resume' && scenario.action.from === 'prepared')
      leaveUnanswered(context, scenario)
  }
  await generateAll(context, plan)
}

/** Not counted against the run: nobody asked for it to be submitted. */
function leave(context: RunContext, { id }: ScenarioPlan): void {
  const detail = 'it would be submitted by whatif run; resume only collects'
  const fault = faultFor('not_submitted', detail)
  announce(context, id, { kind: 'stopped', status: 'not_started', fault, cause: 'ok', key: null })
}

function leaveUnanswered(context: RunContext, { id, key }: ScenarioPlan): void {
  const detail = 'the answer to its request was never seen; whatif run sends it again under the same key'
  const fault = faultFor('unanswered', detail)
  announce(context, id, { kind: 'stopped', status: 'interrupted', fault, cause: 'deadline_or_network', key })
}

function faultFor(code: string, detail: string) {
  return { code, detail, message: detail, requestId: null, jobId: null, generationId: null, datasetId: null }
}
