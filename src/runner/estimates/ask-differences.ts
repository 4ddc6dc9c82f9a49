import pLimit from 'p-limit'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import { MAX_ESTIMATE_OUTCOMES, MAX_ESTIMATED_LEVELS, MAX_FURTHER } from '../../contract/limits.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { RecordedEstimates } from '../../records/state/estimates.ts'
import { askService, type EstimatePart, MOST_AT_ONCE, readEstimates } from './ask-service.ts'

type Conditions = EstimateRequest['scenario']

/** Two scenarios whose difference is asked for. */
export interface Difference {
  readonly scenario: Conditions
  readonly baseline: Conditions
}

/** The estimates of each difference, null where they are not the answer to the question; or why the service gives none. */
export type Differences = readonly (RecordedEstimates | null)[] | NoEstimates

interface About {
  readonly client: ServiceClient
  readonly datasetId: string
  readonly outcomes: EstimateRequest['outcomes']
  readonly call: CallOptions
  /** Absent: all rows. */
  readonly where?: EstimateRequest['where'] | undefined
  /** Most levels of an outcome: a reply to many differences has fewer. Absent: whatever it has is enough. */
  readonly levels?: number
}

/** Differences of one request whose reply has all levels of the outcomes: further ones share out what one reply may have. */
function mostAtOnce({ outcomes, levels = 1 }: About): number {
  const further = Math.floor((MAX_ESTIMATE_OUTCOMES * MAX_ESTIMATED_LEVELS) / (Math.max(1, outcomes.length) * levels))
  return Math.min(MAX_FURTHER, further) + 1
}

/**
 * The differences of many scenarios in the same outcomes: up to 251 in a request. A service of an earlier version, or another's, does not
 * know the field; then each has a request of its own.
 */
export async function askDifferences(differences: readonly Difference[], about: About): Promise<Differences> {
  const found: (RecordedEstimates | null)[] = []
  const most = mostAtOnce(about)
  for (let at = 0; at < differences.length; at += most) {
    const some = differences.slice(at, at + most)
    const answer = (await askAtOnce(some, about)) ?? (await askEach(some, about))
    if (typeof answer === 'string') return answer
    found.push(...answer)
  }
  return found
}

/** Null where the service does not know the field, or the outcomes take several requests. */
async function askAtOnce([first, ...further]: readonly Difference[], about: About): Promise<Differences | null> {
  if (first === undefined) return []
  if (further.length === 0) return null
  const answer = await ask(first, about, further)
  if (answer.kind === 'none') return answer.why === 'estimates_refused' ? null : answer.why
  const [part, ...more] = answer.parts
  const others = part?.reply.further
  if (part === undefined || more.length > 0 || others?.length !== further.length) return null
  const parts: EstimatePart[] = [part, ...others.map((reply) => ({ asked: part.asked, reply }))]
  return parts.map((one) => readEstimates([one]))
}

async function askEach([first, ...others]: readonly Difference[], about: About): Promise<Differences> {
  if (first === undefined) return []
  const one = async (difference: Difference): Promise<RecordedEstimates | null | NoEstimates> => {
    const answer = await ask(difference, about)
    return answer.kind === 'none' ? answer.why : readEstimates(answer.parts)
  }
  // Asked alone: what keeps the service from answering keeps it from answering the others.
  const answer = await one(first)
  if (typeof answer === 'string') return answer
  const limit = pLimit(MOST_AT_ONCE)
  const rest = await Promise.all(others.map((difference) => limit(() => one(difference))))
  const gap = rest.find((result) => typeof result === 'string')
  return gap ?? [answer, ...rest.filter((result) => typeof result !== 'string')]
}

const ask = (
  { scenario, baseline }: Difference,
  { client, datasetId, outcomes, call, where }: Omit<About, 'levels'>,
  further?: Difference[],
) =>
  askService(
    client,
    {
      ...{ scenario, against: baseline, outcomes, datasetIds: [datasetId], modelId: null },
      ...(where && { where }),
      ...(further && { further: further.map((pair) => ({ ...pair })) }),
    },
    call,
    new Set(),
  )
