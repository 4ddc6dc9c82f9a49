import { afterAll, beforeAll, expect, it } from 'vitest'
import { readObject } from '../../../src/objects/read-object.ts'
import { S3Connection } from '../../../src/objects/s3-connection.ts'
import { type CuttingServer, ENDS, type Framing, startCuttingServer } from '../../client/cutting-server.ts'
import { seededRandom } from '../../runner/seeded-random.ts'

const OBJECT = Buffer.alloc(4_000_000, 'x')
const READS = 10
/** Turns of the event loop that the reader takes for a piece. */
const LATE_BY = 20

const uncaught: unknown[] = []
let enough = new AbortController()
const onUncaught = (error: unknown) => {
  uncaught.push(error)
  enough.abort(error)
}
let server: CuttingServer
let connection: S3Connection
beforeAll(async () => {
  process.on('uncaughtException', onUncaught)
  server = await startCuttingServer(() => OBJECT)
  connection = new S3Connection(
    { endpoint: server.url, bucket: 'b', region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' } as never,
    { backoffMs: 1 },
  )
})
afterAll(async () => {
  await connection.close()
  await server.close()
  process.off('uncaughtException', onUncaught)
})

const framings: readonly Framing[] = ['close and length', 'length']
const cases = framings.flatMap((framing) => ENDS.map((end) => ({ framing, end })))

it.each(cases)(
  'a read framed by $framing whose connection ends by $end while its reader is behind is an error to the reader alone',
  async ({ framing, end }) => {
    const random = seededRandom(5)
    for (let i = 0; i < READS; i++) {
      enough = new AbortController()
      const key = `blob-${framing.length}-${end}-${i}`
      server.cut(`/b/${key}`, { framing, end, at: Math.floor(random() * OBJECT.length) })
      const read = async () => {
        let bytes = 0
        for await (const piece of readObject(connection, key, null)) {
          bytes += piece.length
          for (let turn = 0; turn < LATE_BY; turn++) await new Promise((resolve) => setImmediate(resolve))
        }
        return bytes
      }
      // A read that ended the process would not end itself.
      const { signal } = enough
      const crash = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      // This storage sends all of the object again and not the rest of it, which is refused.
      await expect(Promise.race([read(), crash])).rejects.toMatchObject({ name: 'StorageError', code: 'unreadable' })
      expect(uncaught).toEqual([])
    }
  },
)
