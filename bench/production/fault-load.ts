import type { Team } from './team.ts'
import { type Made, surveyOf, Tenant } from './tenant.ts'

const TENANTS = 3
/** Rows of a generation; those that a fault is to meet under way have more. */
const ROWS = { usual: 20_000, long: 300_000 }
/** Rows of an upload, and letters in each that make it long to send. */
const SEED_ROWS = 8_000
const LETTER_LENGTH = 2_400

/** The accepted work, and its results. */
export interface Accepted extends Made {
  readonly kind: 'upload' | 'generation'
  readonly status: string
  /** Counted in the artifact. */
  readonly rows: number
}

/** Uploads and generations of a few tenants, each followed to its end. */
export class FaultLoad {
  readonly tenants: Tenant[] = []
  readonly #datasets: string[] = []
  readonly #followed: Promise<Accepted>[] = []
  #uploads = 0
  #generations = 0

  static async start(team: Team): Promise<FaultLoad> {
    const load = new FaultLoad()
    for (let i = 0; i < TENANTS; i++) {
      const tenant = await Tenant.signUp(team.publicUrl, `faults-${i}@example.test`)
      const { id, jobId } = await tenant.upload(surveyOf(2_000, i))
      if ((await tenant.end(jobId)) !== 'completed') throw new Error('the first training did not end well')
      load.tenants.push(tenant)
      load.#datasets.push(id)
    }
    return load
  }

  /** Requests this many generations at once, the first ones longer; resolves when all are accepted. */
  async generate(count: number, long = 0): Promise<void> {
    const accepted = Array.from({ length: count }, (_unused, i) => {
      const n = this.#generations++
      const tenant = this.tenants[n % TENANTS] as Tenant
      const datasetId = this.#datasets[n % TENANTS] as string
      const wanted = { rows: i < long ? ROWS.long : ROWS.usual, seed: n }
      return this.#follow(tenant.generate(datasetId, wanted), async (made) => {
        await tenant.end(made.jobId)
        return { ...made, kind: 'generation', ...(await tenant.fetch(made.id)) }
      })
    })
    await Promise.all(accepted)
  }

  /** Starts this many uploads at once; large ones take a while to send. Resolves when all are accepted. */
  async upload(count: number, isLarge = false): Promise<void> {
    const accepted = Array.from({ length: count }, () => {
      const n = this.#uploads++
      const tenant = this.tenants[n % TENANTS] as Tenant
      const csv = surveyOf(SEED_ROWS, 100 + n, isLarge ? LETTER_LENGTH : 0)
      return this.#follow(tenant.upload(csv), async (made) => {
        const ended = await tenant.end(made.jobId)
        return { ...made, kind: 'upload', status: ended === 'completed' ? 'ready' : ended, rows: 0 }
      })
    })
    await Promise.all(accepted)
  }

  /** Everything that was accepted, once all of it has ended. */
  async ended(): Promise<readonly Accepted[]> {
    return await Promise.all(this.#followed)
  }

  /** Repeated tries by reason, the most frequent first. */
  retries(): readonly (readonly [reason: string, count: number])[] {
    const sums = new Map<string, number>()
    for (const { retries } of this.tenants) {
      for (const [reason, count] of retries) sums.set(reason, (sums.get(reason) ?? 0) + count)
    }
    return [...sums].sort((a, b) => b[1] - a[1])
  }

  async close(): Promise<void> {
    for (const tenant of this.tenants) await tenant.client.close()
  }

  /** Resolves when it is accepted; `ended` has the rest. */
  async #follow(accepted: Promise<Made>, toItsEnd: (made: Made) => Promise<Accepted>): Promise<void> {
    const end = accepted.then(toItsEnd)
    // The rejection is reported when the caller asks for the ends, not before.
    end.catch(() => undefined)
    this.#followed.push(end)
    await accepted
  }
}
