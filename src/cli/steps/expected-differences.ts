import type { ServiceClient } from '../../client/service-client.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import type { Connection } from '../../local/service-connection.ts'
import type { Plan } from '../../plan/plan.ts'
import { type ForeseenComparison, foreseeDifferences } from '../../run/estimates/foresee-differences.ts'
import { locatedMessage } from '../../run/interface/fault-text.ts'
import type { RunRequest } from '../../run/interface/run-options.ts'
import { withDatasetIds } from '../../run/session/open-run.ts'
import type { Terminal } from '../output/terminal.ts'

/** A plan is looked at by somebody who waits. */
const LONGEST_MS = 30_000

export interface ExpectedDifferences {
  readonly comparisons: Readonly<Record<string, ForeseenComparison>>
  /** Why the service could not be asked at all; for people. */
  readonly trouble: string | null
}

/**
 * Asks the service what a study's comparisons are expected to find. It is started, or logged in to, only where a dataset is
 * trained, and a plan is a plan without its answer.
 */
export async function expectedDifferences(
  request: RunRequest,
  plan: Plan,
  { connection, signal, terminal }: { connection: Connection; signal: AbortSignal; terminal: Terminal },
): Promise<ExpectedDifferences> {
  const { study, options, projectRoot } = request
  const environment = realEnvironment({
    connection,
    projectRoot,
    lockTimeoutMs: LONGEST_MS,
    signal,
    onEvent: () => {},
    onService: (state) => {
      if (state === 'starting') terminal.stderr.write('starting the embedded service\n')
    },
  })
  let client: ServiceClient | null = null
  let trouble: string | null = null
  const open = async () => {
    try {
      client = await environment.client()
      return client
    } catch (error) {
      signal.throwIfAborted()
      trouble = locatedMessage(error)
      return null
    }
  }
  try {
    const call = { signal, deadlineMs: Date.now() + LONGEST_MS }
    const comparisons = await foreseeDifferences(withDatasetIds(study, options.datasetIds), plan, { open, call })
    return { comparisons, trouble }
  } finally {
    await (client as ServiceClient | null)?.close()
  }
}
