import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hashFile } from '../../src/base/sha256.ts'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import type { ServiceClient } from '../../src/client/service-client.ts'
import { ServiceError } from '../../src/client/service-error.ts'
import type { Conditions } from '../../src/contract/conditions.ts'
import { type ClientSecret, makeClient, mint, request } from '../../test/service/served-client.ts'

/** The result of an upload or a generation. */
export interface Made {
  readonly id: string
  readonly jobId: string
}

/** A tenant of the service under the bench, with the client that the runner has. */
export class Tenant {
  readonly client: ServiceClient
  /** Number of tries that failed and were repeated, by message. */
  readonly retries: Map<string, number> = new Map()
  readonly #publicUrl: string
  readonly #secret: ClientSecret

  static async signUp(publicUrl: string, email: string): Promise<Tenant> {
    return new Tenant(publicUrl, await makeClient(publicUrl, email))
  }

  private constructor(publicUrl: string, secret: ClientSecret) {
    this.#publicUrl = publicUrl
    this.#secret = secret
    this.client = createServiceClient({
      baseUrl: publicUrl,
      authUrl: publicUrl,
      clientId: secret.client_id,
      clientSecret: secret.client_secret,
    })
  }

  /** Uploads a table; resolves when it is accepted. */
  async upload(csv: string): Promise<Made> {
    const path = join(tmpdir(), `whatif-bench-${randomUUID()}.csv`)
    await writeFile(path, csv)
    try {
      const key = randomUUID()
      const { value } = await this.#untilAnswered(
        async (call) =>
          await this.client.createDataset(
            {
              path,
              ...(await hashFile(path)),
              extension: '.csv',
              autoClean: true,
              displayName: 'bench',
              idempotencyKey: key,
            },
            call,
          ),
      )
      return { id: value.dataset_id, jobId: value.job_id as string }
    } finally {
      await rm(path)
    }
  }

  /** Requests rows as CSV; resolves when the request is accepted. */
  async generate(
    datasetId: string,
    wanted: { readonly rows: number; readonly seed: number; readonly conditions?: Conditions },
  ): Promise<Made> {
    const { rows, ...rest } = wanted
    const body = JSON.stringify({ row_count: rows, output_format: 'csv', ...rest })
    const key = randomUUID()
    const { value } = await this.#untilAnswered(
      async (call) => await this.client.createGeneration({ datasetId, body, idempotencyKey: key }, call),
    )
    return { id: value.generation_id as string, jobId: value.job_id as string }
  }

  /** The status that a job ends with. */
  async end(jobId: string): Promise<string> {
    const { value } = await this.#untilAnswered(async (call) => await this.client.waitForJob(jobId, call))
    return value.unknown_status ?? value.status
  }

  /** The status of a generation and the rows that its artifact has, counted in the file. */
  async fetch(generationId: string): Promise<{ readonly status: string; readonly rows: number }> {
    return await this.#untilAnswered(async (call) => {
      const { value } = await this.client.getGeneration(generationId, call)
      if (value.status !== 'ready' || value.artifact_url == null) return { status: value.status, rows: 0 }
      const path = join(tmpdir(), `whatif-bench-${randomUUID()}`)
      const { content } = await this.client.downloadArtifact(
        { url: value.artifact_url, path, heldBytes: 1 << 26 },
        call,
      )
      const lines = content?.toString('utf8').trimEnd().split('\n').length ?? 0
      return { status: value.status, rows: lines - 1 }
    })
  }

  /** Deletes a dataset; one that is gone already is fine. */
  async remove(datasetId: string): Promise<void> {
    const { status, body } = await this.#ask('DELETE', `/v1/datasets/${datasetId}`)
    if (status !== 204 && status !== 404) throw new Error(`deleting a dataset: ${status} ${JSON.stringify(body)}`)
  }

  /** Rows that the service has billed, as the tenant reads it. */
  async billedRows(): Promise<number> {
    return (await this.#ask('GET', '/v1/usage')).body.rows.billed
  }

  /** Calls for which the runner's client has no method. */
  async #ask(method: string, path: string) {
    const bearer = (await mint(this.#publicUrl, this.#secret)) as string
    return await request(this.#publicUrl, method, path, { bearer })
  }

  /** The same call with the same key until somebody answers: if the client gives up, a runner is started again. */
  async #untilAnswered<T>(act: (call: { onRetry(retry: { reason: string }): void }) => Promise<T>): Promise<T> {
    const onRetry = ({ reason }: { reason: string }): void => {
      this.retries.set(reason, (this.retries.get(reason) ?? 0) + 1)
    }
    for (;;) {
      try {
        return await act({ onRetry })
      } catch (error) {
        const passes =
          error instanceof ServiceError && ['server', 'network', 'deadline', 'conflict'].includes(error.kind)
        if (!passes) throw error
        onRetry({ reason: `a call given up (${error.kind}) and made again` })
        await wait(1_000)
      }
    }
  }
}

/** A table of people that has something to train on. */
export function surveyOf(rows: number, seed: number, letterLength = 0): string {
  let state = seed >>> 0
  const draw = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const hasLetter = letterLength > 0
  const lines = [`region,member,satisfaction,spend,age${hasLetter ? ',letter' : ''}`]
  for (let i = 0; i < rows; i++) {
    const age = 18 + draw(60)
    const member = draw(90) < age ? 'yes' : 'no'
    const spend = (member === 'yes' ? 20 : 5) + draw(500) / 10
    const region = ['north', 'south', 'east', 'west'][draw(4)]
    // Text of its own in every row: bytes to send, and a column that training drops.
    const letter = hasLetter ? `,${i} ${'dear all '.repeat(Math.ceil(letterLength / 9))}` : ''
    lines.push(`${region},${member},${1 + draw(5)},${spend.toFixed(1)},${age}${letter}`)
  }
  return `${lines.join('\n')}\n`
}
