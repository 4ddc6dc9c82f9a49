import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { form, surveyCsv } from '../data/data-service.ts'
import { type ClientSecret, makeClient, mint, type Reply, request } from '../served-client.ts'
import { lastingPort, OPERATOR_TOKEN, type ServedProcess, type ServeOptions } from '../served-process.ts'

/** A way to run the service whose data outlive its process. */
export interface Deployment {
  start(options: Pick<ServeOptions, 'port' | 'killedAfterMs'>): Promise<ServedProcess>
  /** Asks the database; only while the service is stopped. */
  inspect<Row>(sql: string): Promise<readonly Row[]>
}

/** Rows of uploads: most are trained in a moment, some take long enough to be killed in training. */
const SEED_ROWS = [120, 200, 3000]
const ROW_COUNTS = [50, 2000, 10_000]
const FORMATS = ['parquet', 'csv', 'arrow']

/** A POST that makes one resource, and its known state. */
interface Order {
  readonly path: string
  readonly key: string
  readonly body: () => unknown
  readonly kind: 'dataset' | 'generation'
  /** Its acknowledgement; null before it. */
  made: { readonly id: string; readonly jobId: string | null } | null
  /** How its job ended, and for a generation the rows and the digest of its artifact. */
  ended: { readonly status: string; readonly rows: number; readonly sha256: string | null } | null
}

/** A client whose secret is being rotated and claimed. */
interface Rotating {
  readonly clientId: string
  readonly bearer: string
  /** The last secret that it was given. */
  secret: string
  /** A rotation's key, and the token it was acknowledged with. */
  rotation: { readonly key: string; token: string | null } | null
  /** A claim was sent, and not answered. */
  isClaiming: boolean
  rotations: number
}

/**
 * Loads a service, kills it at a moment drawn from a seed, and checks after the restart what it had acknowledged. One
 * deployment over all rounds; every acknowledgement is kept to the end.
 */
export class KillRounds {
  readonly #deployment: Deployment
  readonly #random: () => number
  readonly #orders: Order[] = []
  #rotating: Rotating | null = null
  #service: ServedProcess | null = null
  #port = 0
  #tenantId = ''
  #bearer = ''
  #isKilled = false
  #sent = 0
  /** The requests that the kills interrupted: without any, the test would show nothing. */
  readonly interrupted = { uploads: 0, generations: 0, rotations: 0, claims: 0 }

  constructor(deployment: Deployment, seed: number) {
    this.#deployment = deployment
    this.#random = randomOf(seed)
  }

  /** The first start, with a client and a dataset to generate from. */
  async begin(): Promise<void> {
    this.#port = await lastingPort()
    this.#service = await this.#deployment.start({ port: this.#port })
    const client = await makeClient(this.#baseUrl, 'load@example.com')
    this.#bearer = (await mint(this.#baseUrl, client)) as string
    const tenants = await request(this.#baseUrl, 'GET', '/operator/v1/tenants', { bearer: OPERATOR_TOKEN })
    this.#tenantId = tenants.body.tenants[0].tenant_id
    await this.#place(this.#newUpload(200))
    await this.checkResources()
  }

  async end(): Promise<void> {
    await this.#service?.kill()
  }

  /** Ends the service by SIGTERM. */
  async stop(): Promise<void> {
    expect(await this.#service?.stop()).toBe(0)
    this.#service = null
  }

  /** Uploads, generations and rotations at once, until the service is killed after a number of answers, and a moment. */
  async loadAndKill(round: number): Promise<void> {
    const client = await makeClient(this.#baseUrl, `rotating${round}@example.com`, this.#tenantId)
    this.#rotating = {
      clientId: client.client_id,
      bearer: (await mint(this.#baseUrl, client)) as string,
      secret: client.client_secret,
      rotation: null,
      isClaiming: false,
      rotations: 0,
    }
    this.#isKilled = false
    const answers = 1 + this.#draw(12)
    const momentMs = this.#draw(60)
    let answered = 0
    let enough: () => void = () => undefined
    const reached = new Promise<void>((resolve) => {
      enough = resolve
    })
    const onAnswer = (): void => {
      if (++answered === answers) enough()
    }
    const loads = [
      this.#repeatedly(async () => await this.#place(this.#newUpload(SEED_ROWS[this.#draw(3)] as number)), onAnswer, 4),
      this.#repeatedly(async () => await this.#place(this.#newGeneration()), onAnswer, 8),
      this.#repeatedly(async () => await this.#rotateAndClaim(), onAnswer, 6),
      this.#repeatedly(async () => await this.#mintAgain(), onAnswer, 4),
    ]
    // After enough answers, or all of them, the kill comes while jobs are running.
    await Promise.race([reached, Promise.all(loads)])
    await new Promise((resolve) => setTimeout(resolve, momentMs))
    this.#isKilled = true
    await this.#service?.kill()
    await Promise.all(loads)
    this.#countInterrupted()
  }

  #countInterrupted(): void {
    const { rotation, isClaiming } = this.#rotating as Rotating
    for (const { made, kind } of this.#orders) {
      if (made === null) this.interrupted[kind === 'dataset' ? 'uploads' : 'generations']++
    }
    if (isClaiming) this.interrupted.claims++
    else if (rotation !== null && rotation.token === null) this.interrupted.rotations++
  }

  /**
   * Starts it again; some starts are killed too, at a moment before or after it listens. Not two in a row: a job that was
   * begun each time would be given up at its fourth beginning.
   */
  async restart(): Promise<void> {
    if (this.#draw(3) === 0) {
      const victim = await this.#deployment
        .start({ port: this.#port, killedAfterMs: 100 + this.#draw(1500) })
        .catch(() => null)
      await victim?.kill()
    }
    this.#service = await this.#deployment.start({ port: this.#port })
  }

  /** Repeats every request that had no answer, twice: both times the same one resource. */
  async repeatInterrupted(): Promise<void> {
    for (const order of this.#orders.filter(({ made }) => made === null)) {
      await this.#place(order)
      const { made } = order
      expect(made).not.toBeNull()
      const again = await this.#post(order)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(idOf(order, again)).toBe(made?.id)
    }
  }

  /**
   * The secret of the client that was rotating: the old one works until a claim has succeeded, then the new one, and
   * never neither. Where the answer to a claim was lost, either the claim can be made again or its bearer token rotates.
   */
  async checkSecrets(): Promise<void> {
    const rotating = this.#rotating as Rotating
    const { clientId, bearer, rotation, isClaiming } = rotating
    const works = async (secret: string) =>
      (await mint(this.#baseUrl, { client_id: clientId, client_secret: secret })) !== null
    const rotate = async (key: string) =>
      await request(this.#baseUrl, 'POST', '/v1/credential-rotations', { bearer, key, body: {} })
    if (rotation !== null) {
      const [first, second] = [await rotate(rotation.key), await rotate(rotation.key)]
      if (first.status === 429) {
        // The limit was reached before the rotation was recorded.
        expect([rotation.token, rotating.rotations]).toEqual([null, 3])
        expect(await works(rotating.secret)).toBe(true)
        return
      }
      expect([first.status, second.status]).toEqual([200, 200])
      const token = first.body.credential_claim_token
      expect(second.body.credential_claim_token).toBe(token)
      if (rotation.token !== null) expect(token).toBe(rotation.token)
      const oldWorks = await works(rotating.secret)
      const claim = await this.#claim(token)
      // Claimed before the kill exactly when the old secret has gone; only a claim that was sent can have been.
      expect(claim === null).toBe(!oldWorks)
      if (!oldWorks) expect(isClaiming).toBe(true)
      if (claim !== null) {
        expect(claim.client_id).toBe(clientId)
        expect([await works(claim.client_secret), await works(rotating.secret)]).toEqual([true, false])
      } else if (rotating.rotations < 2) {
        const fresh = await this.#claim((await rotate(`${rotation.key}-again`)).body.credential_claim_token)
        expect(await works(fresh?.client_secret as string)).toBe(true)
      }
    } else expect(await works(rotating.secret)).toBe(true)
  }

  /** Waits for every job, and compares each dataset, generation and artifact with what the service said before. */
  async checkResources(): Promise<void> {
    for (const order of this.#orders) {
      const made = order.made as NonNullable<Order['made']>
      if (order.ended === null) {
        const status = await this.#ended(made.jobId)
        expect([order.key, status]).toEqual([order.key, 'completed'])
        order.ended = { status, ...(await this.#measure(order)) }
      }
    }
    // One of those from earlier rounds, so that a loss shows in the round that made it.
    const earlier = this.#orders[this.#draw(this.#orders.length)] as Order
    expect(await this.#measure(earlier)).toEqual({ rows: earlier.ended?.rows, sha256: earlier.ended?.sha256 })
  }

  /** Everything that is there, against everything that was acknowledged; every artifact is downloaded once more. */
  async allResources() {
    for (const order of this.#orders) {
      expect(await this.#measure(order)).toEqual({ rows: order.ended?.rows, sha256: order.ended?.sha256 })
    }
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = (await this.#get(`/v1/datasets?limit=7${query}`)).body as {
        datasets: { dataset_id: string }[]
        next_cursor: string | null
      }
      listed.push(...page.datasets.map((dataset) => dataset.dataset_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    const idsOf = (kind: Order['kind']) =>
      this.#orders.filter((order) => order.kind === kind).map((order) => order.made?.id as string)
    const tenants = await request(this.#baseUrl, 'GET', '/operator/v1/tenants', { bearer: OPERATOR_TOKEN })
    return {
      datasets: { listed, acknowledged: idsOf('dataset') },
      generations: {
        acknowledged: idsOf('generation'),
        finished: this.#orders
          .filter(({ kind, ended }) => kind === 'generation' && (ended?.rows ?? 0) > 0)
          .map(({ made }) => made?.id as string),
        rowsUsed: tenants.body.tenants[0].rows_used as number,
        rowsGenerated: this.#orders.reduce((sum, order) => sum + (order.ended?.rows ?? 0), 0),
      },
    }
  }

  get #baseUrl(): string {
    return (this.#service as ServedProcess).baseUrl
  }

  #draw(below: number): number {
    return Math.floor(this.#random() * below)
  }

  /** Does the same thing again and again until the kill; what breaks off by it is no failure. */
  async #repeatedly(act: () => Promise<void>, onAnswer: () => void, times: number): Promise<void> {
    for (let i = 0; i < times && !this.#isKilled; i++) {
      try {
        await act()
        onAnswer()
      } catch (error) {
        if (!this.#isKilled) throw error
        return
      }
    }
  }

  #newUpload(rows: number): Order {
    const number = ++this.#sent
    const csv = surveyCsv(rows)
    return this.#keep({
      path: '/v1/datasets',
      key: `upload-${number}`,
      body: () => form({ seed_file: new Blob([csv]), display_name: `upload ${number}` }),
      kind: 'dataset',
    })
  }

  #newGeneration(): Order {
    const number = ++this.#sent
    const ready = this.#orders.filter(({ kind, ended }) => kind === 'dataset' && ended !== null)
    const dataset = ready[this.#draw(ready.length)] as Order
    const body = {
      row_count: ROW_COUNTS[this.#draw(3)],
      output_format: FORMATS[this.#draw(3)],
      seed: number,
      conditions: { categorical: { region: { north: 0.5 } } },
    }
    return this.#keep({
      path: `/v1/datasets/${dataset.made?.id}/generations`,
      key: `generation-${number}`,
      body: () => body,
      kind: 'generation',
    })
  }

  #keep(order: Omit<Order, 'made' | 'ended'>): Order {
    const kept = { ...order, made: null, ended: null }
    this.#orders.push(kept)
    return kept
  }

  async #place(order: Order): Promise<void> {
    let reply = await this.#post(order)
    // The killed process may still hold the key until its lease has passed: the client repeats the request, as the reply demands.
    while (reply.status === 409 && reply.body.code === 'svc_idempotency_conflict') {
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(reply.headers.get('retry-after'))))
      reply = await this.#post(order)
    }
    expect([order.key, reply.status, reply.body]).toEqual([order.key, expect.toBeOneOf([200, 202]), reply.body])
    // The receipt of a dataset that is ready names no job: there is nothing to wait for.
    order.made = { id: idOf(order, reply), jobId: reply.body.job_id ?? null }
  }

  async #post(order: Order): Promise<Reply> {
    const { path, key, body } = order
    return await request(this.#baseUrl, 'POST', path, { bearer: this.#bearer, key, body: body() })
  }

  async #get(path: string): Promise<Reply> {
    const reply = await request(this.#baseUrl, 'GET', path, { bearer: this.#bearer })
    expect([path, reply.status]).toEqual([path, 200])
    return reply
  }

  async #rotateAndClaim(): Promise<void> {
    const rotating = this.#rotating as Rotating
    if (rotating.rotations === 3) return
    if (rotating.rotation === null) {
      const key = `rotation-${rotating.rotations}`
      rotating.rotation = { key, token: null }
      const { body } = await request(this.#baseUrl, 'POST', '/v1/credential-rotations', {
        bearer: rotating.bearer,
        key,
        body: {},
      })
      rotating.rotation = { key, token: body.credential_claim_token }
      rotating.rotations++
      return
    }
    rotating.isClaiming = true
    const claimed = await this.#claim(rotating.rotation.token as string)
    rotating.isClaiming = false
    rotating.rotation = null
    rotating.secret = claimed?.client_secret as string
  }

  async #claim(token: string): Promise<ClientSecret | null> {
    const reply = await request(this.#baseUrl, 'POST', '/v1/credential-claims', { body: { claim_token: token } })
    if (reply.status === 400) expect(reply.body.code).toBe('svc_invalid_claim')
    else expect(reply.status).toBe(200)
    return reply.status === 200 ? reply.body : null
  }

  async #mintAgain(): Promise<void> {
    const { clientId, secret } = this.#rotating as Rotating
    await mint(this.#baseUrl, { client_id: clientId, client_secret: secret })
  }

  async #ended(jobId: string | null): Promise<string> {
    if (jobId === null) return 'completed'
    for (;;) {
      const { status } = (await this.#get(`/v1/jobs/${jobId}`)).body
      if (!['queued', 'running'].includes(status)) return status
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** The rows of a generation as its record says, and the digest of its artifact as it arrives: the record's, to the byte. */
  async #measure(order: Order): Promise<{ rows: number; sha256: string | null }> {
    const id = order.made?.id as string
    if (order.kind === 'dataset') {
      expect((await this.#get(`/v1/datasets/${id}`)).body).toMatchObject({ dataset_id: id, status: 'ready' })
      return { rows: 0, sha256: null }
    }
    const { body: record } = await this.#get(`/v1/generations/${id}`)
    expect(record.status).toBeOneOf(['ready', 'partial'])
    const response = await fetch(`${this.#baseUrl}${record.artifact_url}`, {
      headers: { authorization: `Bearer ${this.#bearer}` },
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect({ bytes: bytes.length, sha256 }).toEqual(record.artifact)
    return { rows: record.rows_generated, sha256 }
  }
}

function idOf(order: Order, reply: Reply): string {
  return order.kind === 'dataset' ? reply.body.dataset_id : reply.body.generation_id
}

/** Uniform numbers in [0, 1) from a seed (Park and Miller's generator). */
function randomOf(seed: number): () => number {
  let state = (seed % 2147483646) + 1
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
