/** An upload of 500 MB whose connection is cut at 90 %: what is sent again, in parts and as a whole. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import { type ClientSecret, makeClient } from '../../test/service/served-client.ts'
import { type ServedProcess, serve } from '../../test/service/served-process.ts'
import { megabytes, seconds } from '../report-text.js'
import type { Report } from './report.ts'

const BYTES = 500_000_000
const CUT_AT = 0.9
/** Goal: a cut at 90 % sends 10 % again, and the part in flight. */
const AGAIN_LIMIT = 0.1

interface Outcome {
  readonly sentBytes: number
  readonly cuts: number
  readonly seconds: number
}

export async function uploads(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-uploads-'))
  const service = await serve(join(folder, 'data'), { env: { WHATIF_SERVE_RATE_LIMITS: 'off' } })
  try {
    const client = await makeClient(service.baseUrl, 'uploads@example.org')
    const ways = [
      ['in parts, not cut', false, Number.POSITIVE_INFINITY],
      ['in parts, cut at 90 %', false, CUT_AT * BYTES],
      ['as a whole, cut at 90 %', true, CUT_AT * BYTES],
    ] as const
    const outcomes: Outcome[] = []
    for (const [index, [, sendsWhole, cutAfter]] of ways.entries()) {
      // Another file each time: the service knows the parts of one that it has seen.
      const path = join(folder, 'seed.csv')
      const bytes = Buffer.alloc(BYTES, `respondent,region,answer\n${index},North,Yes\n2,South,No\n`)
      await writeFile(path, bytes)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      outcomes.push(await upload({ service, client, path, sha256, sendsWhole, cutAfter }))
    }
    report.table(
      ['', 'seconds', 'sent', 'beyond the file', 'cuts'],
      outcomes.map((made, index) => [
        ways[index]?.[0] ?? '',
        seconds(made.seconds),
        megabytes(made.sentBytes),
        megabytes(made.sentBytes - BYTES),
        String(made.cuts),
      ]),
    )
    const again = ((outcomes[1]?.sentBytes ?? 0) - BYTES) / BYTES
    const share = report.atMost('sent again in parts', again, AGAIN_LIMIT, (part) => `${(100 * part).toFixed(2)} %`)
    report.say(`Sent beyond the file in parts, with a cut at 90 %, over the bytes of the file: ${share}.`)
    const cuts = outcomes.map((made) => made.cuts).join()
    report.holds('cuts of the three ways', cuts === '0,1,1', cuts)
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function upload(way: {
  readonly service: ServedProcess
  readonly client: ClientSecret
  readonly path: string
  readonly sha256: string
  readonly sendsWhole: boolean
  readonly cutAfter: number
}): Promise<Outcome> {
  const line = await Line.open(Number(new URL(way.service.baseUrl).port), way.cutAfter)
  const client = createServiceClient({
    baseUrl: line.url,
    authUrl: way.service.baseUrl,
    audience: way.service.baseUrl,
    clientId: way.client.client_id,
    clientSecret: way.client.client_secret,
    sendsWhole: way.sendsWhole,
  })
  const begun = performance.now()
  try {
    await client.createDataset({
      path: way.path,
      sizeBytes: BYTES,
      sha256: way.sha256,
      extension: '.csv',
      autoClean: true,
      displayName: 'Large',
      idempotencyKey: way.sha256,
    })
    return { sentBytes: line.sentBytes, cuts: line.cuts, seconds: (performance.now() - begun) / 1000 }
  } finally {
    await client.close()
    await line.close()
  }
}

/** A connection to the service that counts what the client sends, headers too, and breaks once. */
class Line {
  sentBytes = 0
  cuts = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  static async open(port: number, cutAfter: number): Promise<Line> {
    const line = new Line(port, cutAfter)
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    return line
  }

  private constructor(port: number, cutAfter: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
      }
      near.on('data', (piece: Buffer) => {
        this.sentBytes += piece.length
        if (this.cuts > 0 || this.sentBytes < cutAfter) return
        this.cuts++
        near.destroy()
        far.destroy()
      })
      near.pipe(far).pipe(near)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
