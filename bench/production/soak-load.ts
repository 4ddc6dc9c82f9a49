import type { Team } from './team.ts'
import { surveyOf, Tenant } from './tenant.ts'

const SECOND_MS = 1_000
const TENANTS = 4
/** Datasets of one tenant; the oldest is deleted for one more. Expiry takes the rest. */
const DATASETS_EACH = 3
/** Of every third generation, so that models of conditioned columns are trained and cached. */
const CONDITIONS = { categorical: { member: { yes: 0.6 } } }
const COLUMNS = ['region', 'member', 'satisfaction'] as const

/** A tenant, and the datasets that it has: the newest last. */
interface Worked {
  readonly tenant: Tenant
  readonly datasets: string[]
}

/**
 * About a generation per second with its artifact, with reads, an upload every 20 s and deletions, an estimate every 5
 * s, a signup every minute.
 */
export class SoakLoad {
  readonly #team: Team
  readonly #tenants: Worked[] = []
  readonly #underWay = new Set<Promise<void>>()
  readonly #counts = new Map<string, number>()
  readonly #faults = new Map<string, number>()
  #timers: NodeJS.Timeout[] = []
  #number = 0

  constructor(team: Team) {
    this.#team = team
  }

  async start(): Promise<void> {
    for (let i = 0; i < TENANTS; i++) {
      const tenant = await Tenant.signUp(this.#team.publicUrl, `soak-${i}@example.test`)
      this.#tenants.push({ tenant, datasets: [] })
      await this.#upload(i)
    }
    this.#timers = [
      this.#every(1, 'generations', async (n) => await this.#generate(n)),
      this.#every(1, 'reads', async (n) => await this.#read(n)),
      this.#every(5, 'estimates', async (n) => await this.#estimate(n)),
      this.#every(20, 'uploads', async (n) => await this.#upload(n)),
      this.#every(60, 'signups', async (n) => await this.#signUp(n)),
    ]
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#underWay)
    for (const { tenant } of this.#tenants) await tenant.client.close()
  }

  summary(): string {
    return [...this.#counts].map(([what, count]) => `${count} ${what}`).join(', ')
  }

  /** The failures, and their counts. A dataset that expired between two steps does not count. */
  faults(): readonly string[] {
    return [...this.#faults].map(([what, count]) => `${count} x ${what}`)
  }

  #every(seconds: number, what: string, act: (n: number) => Promise<unknown>): NodeJS.Timeout {
    let n = 0
    return setInterval(() => {
      const done = act(n++)
        .then((isDone) => {
          if (isDone !== false) this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
        })
        .catch((error: Error & { kind?: string }) => {
          if (error.kind === 'not_found' || error.kind === 'gone') return
          const said = `${what}: ${error.message}`.replaceAll(/\b(gen|ds|job|req)_\w+/g, '$1_…').slice(0, 200)
          this.#faults.set(said, (this.#faults.get(said) ?? 0) + 1)
        })
        .finally(() => this.#underWay.delete(done))
      this.#underWay.add(done)
    }, seconds * SECOND_MS)
  }

  #of(n: number): Worked {
    return this.#tenants[n % TENANTS] as Worked
  }

  async #generate(n: number): Promise<boolean> {
    const { tenant, datasets } = this.#of(n)
    const datasetId = datasets.at(-1)
    if (datasetId === undefined) return false
    const wanted = { rows: 50 + (n % 10) * 100, seed: n, ...(n % 3 === 0 && { conditions: CONDITIONS }) }
    const { id, jobId } = await tenant.generate(datasetId, wanted)
    await tenant.end(jobId)
    await tenant.fetch(id)
    return true
  }

  async #read(n: number): Promise<void> {
    const { tenant, datasets } = this.#of(n)
    await tenant.client.listDatasets(null)
    const datasetId = datasets.at(-1)
    if (datasetId === undefined) return
    await tenant.client.getDataset(datasetId)
    await tenant.client.getDatasetSchema(datasetId)
  }

  async #estimate(n: number): Promise<boolean> {
    const { tenant, datasets } = this.#of(n)
    const datasetId = datasets.at(-1)
    if (datasetId === undefined) return false
    const scenario = { categorical: { member: { yes: 0.5 + (n % 4) / 10 } } }
    const outcomes = COLUMNS.map((column) => ({ column }))
    await tenant.client.estimateDifferences({ datasetId, request: { scenario, outcomes } })
    return true
  }

  async #upload(n: number): Promise<void> {
    const { tenant, datasets } = this.#of(n)
    const { id, jobId } = await tenant.upload(surveyOf(400 + (n % 5) * 100, this.#number++))
    const status = await tenant.end(jobId)
    if (status !== 'completed') throw new Error(`a training ended as ${status}`)
    datasets.push(id)
    if (datasets.length <= DATASETS_EACH) return
    await tenant.remove(datasets.shift() as string)
    this.#counts.set('deletions', (this.#counts.get('deletions') ?? 0) + 1)
  }

  async #signUp(n: number): Promise<void> {
    const tenant = await Tenant.signUp(this.#team.publicUrl, `new-${n}@example.test`)
    await tenant.client.listDatasets(null)
    await tenant.client.close()
  }
}
