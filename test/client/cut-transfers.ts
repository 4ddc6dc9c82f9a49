import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import type { ServiceClient } from '../../src/client/service-client.ts'
import { seededRandom } from '../runner/seeded-random.ts'
import { failure, fakeClock } from './client-rig.ts'
import { type CuttingServer, ENDS, FRAMINGS, startCuttingServer } from './cutting-server.ts'

/** How a cut try is reported. */
const CUT =
  /^(?:the connection was closed before the answer was complete|the connection was reset|the connection was closed while the request was being sent) \([A-Z_]+\)$/

/** This many at once, so that writing to the disk delays reading. */
const AT_ONCE = 4

/**
 * Transfers of `bytes` whose connection ends at places that are random and the same in every run, while bytes are on
 * their way; `downloads` and `uploads` of them, shared evenly by all ways to frame and to end.
 */
export function describeCutTransfers({
  downloads,
  uploads,
  bytes,
}: {
  readonly downloads: number
  readonly uploads: number
  readonly bytes: number
}): void {
  const content = randomBytes(bytes)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const random = seededRandom(20261122)
  const uncaught: unknown[] = []
  // An exchange that ends this way reports nothing: without an end, a test would wait for its answer.
  let enough = new AbortController()
  const onUncaught = (error: unknown) => {
    uncaught.push(error)
    enough.abort(error)
  }

  let folder: string
  let server: CuttingServer
  let client: ServiceClient
  beforeAll(async () => {
    process.on('uncaughtException', onUncaught)
    process.on('unhandledRejection', onUncaught)
    folder = await mkdtemp(join(tmpdir(), 'whatif-cut-'))
    await writeFile(join(folder, 'seed.csv'), content)
    server = await startCuttingServer(() => content)
    const { url } = server
    const { now, sleep, random } = fakeClock()
    client = createServiceClient({
      baseUrl: url,
      authUrl: url,
      clientId: 'cli_1',
      clientSecret: 'a secret',
      now,
      sleep,
      random,
    })
  })
  afterAll(async () => {
    await client.close()
    await server.close()
    await rm(folder, { recursive: true })
    process.off('uncaughtException', onUncaught)
    process.off('unhandledRejection', onUncaught)
  })

  /** Makes the transfers, and expects that nothing came to the top of the process meanwhile. */
  async function several(count: number, transfer: (name: string, at: number) => Promise<void>): Promise<void> {
    enough = new AbortController()
    uncaught.length = 0
    const limit = pLimit(AT_ONCE)
    const ends = await Promise.allSettled(
      Array.from({ length: count }, (_, i) => limit(transfer, String(i), Math.floor(random() * bytes))),
    )
    expect(uncaught).toEqual([])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  const framed = FRAMINGS.flatMap((framing) => ENDS.map((end) => ({ framing, end })))
  describe.each(framed)('a download framed by $framing whose connection ends by $end', ({ framing, end }) => {
    const count = Math.ceil(downloads / framed.length)
    const isMarked = framing !== 'close'

    it(`${isMarked ? 'is made again and is complete' : 'is refused'}, ${count} times`, async () => {
      await several(count, async (name, at) => {
        const url = `/${framing.replaceAll(' ', '-')}-${end}-${name}`
        const path = join(folder, url.slice(1))
        server.cut(url, { framing, end, at })
        const reasons: string[] = []
        const download = client.downloadArtifact(
          { url, path },
          { signal: enough.signal, onRetry: ({ reason }) => reasons.push(reason) },
        )
        if (isMarked) {
          expect(await download).toMatchObject({ bytes, sha256 })
          expect(reasons).toEqual([expect.stringMatching(CUT)])
          expect((await readFile(path)).equals(content)).toBe(true)
          await rm(path)
        } else {
          const error = await failure(download)
          expect([error.kind, error.message]).toEqual([
            'reply',
            expect.stringContaining('a body without a recognizable end'),
          ])
        }
      })
    })
  })

  const ended = [false, true].flatMap((refuses) =>
    ENDS.map((end) => ({ refuses, end, when: refuses ? 'after an answer in mid-stream' : 'without an answer' })),
  )
  describe.each(ended)('an upload whose connection ends by $end $when', ({ refuses, end }) => {
    const count = Math.ceil(uploads / ended.length)

    it(`${refuses ? 'is refused or made again' : 'is made again and arrives completely'}, ${count} times`, async () => {
      server.received.length = 0
      let refused = 0
      // One after the other: all go to the same address.
      for (let i = 0; i < count; i++) {
        await several(1, async (_, at) => {
          server.cut('/v1/datasets', { end, at, refuses })
          const reasons: string[] = []
          const upload = client.createDataset(
            {
              path: join(folder, 'seed.csv'),
              sizeBytes: bytes,
              sha256,
              extension: '.csv',
              autoClean: true,
              displayName: 'Tracker',
              idempotencyKey: 'wi1.ds.0123456789abcdef0123456789abcdef.e0',
            },
            { signal: enough.signal, onRetry: ({ reason }) => reasons.push(reason) },
          )
          const error = await upload.then(
            () => null,
            (thrown: unknown) => thrown,
          )
          // The reset may overtake the answer.
          if (refuses && error !== null) {
            expect(error).toMatchObject({ kind: 'too_large', status: 413 })
            refused++
          } else expect({ error, reasons }).toEqual({ error: null, reasons: [expect.stringMatching(CUT)] })
        })
      }
      expect(server.received).toHaveLength(count - refused)
      expect(new Set(server.received).size).toBeLessThanOrEqual(1)
      if (refuses && end === 'FIN') expect(refused).toBeGreaterThan(0)
    })
  })
}
