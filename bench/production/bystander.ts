import { setTimeout as sleep } from 'node:timers/promises'
import { form, surveyCsv } from '../../test/service/data/data-service.ts'
import { request } from '../../test/service/served-client.ts'

/** The wait of another tenant, in milliseconds. */
export interface Waits {
  readonly reads: readonly number[]
  readonly trainings: readonly number[]
}

const READ_EVERY_MS = 50

/** A tenant with ordinary work: a trained dataset that it reads, and small files that it trains. */
export class Bystander {
  readonly #baseUrl: string
  readonly #bearer: string
  readonly #paths: readonly string[]

  private constructor(baseUrl: string, bearer: string, paths: readonly string[]) {
    this.#baseUrl = baseUrl
    this.#bearer = bearer
    this.#paths = paths
  }

  static async open(baseUrl: string, bearer: string): Promise<Bystander> {
    const dataset = await upload(baseUrl, bearer, new Blob([surveyCsv(500)]))
    const path = `/v1/datasets/${dataset}`
    const body = { row_count: 100, wait_seconds: 60 }
    const { generation_id: generation } = (await request(baseUrl, 'POST', `${path}/generations`, { bearer, body })).body
    return new Bystander(baseUrl, bearer, [`${path}/schema`, path, `/v1/generations/${generation}`, '/v1/datasets'])
  }

  /** Reads and trains for so long, and until the training that is going on then has ended. */
  async work(ms: number): Promise<Waits> {
    const until = performance.now() + ms
    const [reads, trainings] = await Promise.all([this.#read(until), this.#train(until)])
    return { reads, trainings }
  }

  /** Each read begins when it is due, whether or not the one before has been answered. */
  async #read(until: number): Promise<number[]> {
    const waits: Promise<number>[] = []
    const begun = performance.now()
    for (let i = 0; performance.now() < until; i++) {
      const due = begun + i * READ_EVERY_MS
      await sleep(due - performance.now())
      waits.push(this.#readOne(this.#paths[i % this.#paths.length] as string, due))
    }
    return await Promise.all(waits)
  }

  async #readOne(path: string, due: number): Promise<number> {
    const { status } = await request(this.#baseUrl, 'GET', path, { bearer: this.#bearer })
    if (status !== 200) throw new Error(`the other tenant's GET ${path} was answered with ${status}`)
    return performance.now() - due
  }

  async #train(until: number): Promise<number[]> {
    const waits: number[] = []
    const seed = new Blob([surveyCsv(500)])
    do {
      const begun = performance.now()
      const dataset = await upload(this.#baseUrl, this.#bearer, seed)
      waits.push(performance.now() - begun)
      await request(this.#baseUrl, 'DELETE', `/v1/datasets/${dataset}`, { bearer: this.#bearer })
    } while (performance.now() < until)
    return waits
  }
}

/** Uploads a file that can be trained, and waits until it is; the dataset's id. */
export async function upload(baseUrl: string, bearer: string, file: Blob): Promise<string> {
  const body = form({ wait_seconds: '60', seed_file: file })
  const reply = await request(baseUrl, 'POST', '/v1/datasets', { bearer, body })
  const { dataset_id: dataset, job_id: job } = reply.body
  for (let { status } = reply.body; status !== 'ready' && status !== 'completed'; ) {
    if (reply.status !== 202 || status === 'failed') {
      throw new Error(`an ordinary upload was answered with ${reply.status}: ${JSON.stringify(reply.body)}`)
    }
    await sleep(100)
    status = (await request(baseUrl, 'GET', `/v1/jobs/${job}`, { bearer })).body.status
  }
  return dataset
}
