import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { S3Server } from '../storage/s3-server.ts'
import { surveyCsv } from './data-service.ts'
import {
  CONDITIONS,
  ended,
  expectNothingLeft,
  order,
  partJobs,
  ROWS,
  SPLIT,
  startWith,
  statementOf,
  type Trained,
} from './large-generations.ts'

const SEED = surveyCsv(2_000)
/** Every format with conditions, one without, and a mean, which is met over all rows. */
const ORDERS = {
  plain: { format: 'csv', more: {} },
  csv: { format: 'csv', more: { conditions: CONDITIONS } },
  parquet: { format: 'parquet', more: { conditions: CONDITIONS } },
  arrow: { format: 'arrow', more: { conditions: CONDITIONS } },
  mean: { format: 'csv', more: { conditions: { categorical: { region: { north: 0.4 } }, means: { age: 45 } } } },
}
/** Only such a service takes means. */
const EXACT = { disclosure: 'exact' } as const
type Name = keyof typeof ORDERS
const NAMES = Object.keys(ORDERS) as Name[]

let server: S3Server
beforeAll(async () => {
  server = await S3Server.start()
})
afterAll(async () => await server?.close())

type Statements = Readonly<Record<Name, unknown>>
let made: Promise<Statements> | null = null

/** What the records say of generations that are made as a whole. */
function wholes(): Promise<Statements> {
  made ??= (async () => {
    const all: Partial<Record<Name, unknown>> = {}
    const service = await startWith(SEED, EXACT)
    for (const name of NAMES) {
      const receipt = await order(service, ORDERS[name].format, ORDERS[name].more)
      all[name] = statementOf(await ended(service, receipt))
      expect(all[name]).toMatchObject({ rows_generated: ROWS, status: 'ready' })
      expect(await partJobs(service, receipt)).toEqual([])
    }
    await service.service.close()
    return all as Statements
  })()
  return made
}

describe('a generation in parts has the record and the bytes of the whole', () => {
  const ways = [
    { workers: 1, names: ['arrow'], isInBucket: false },
    { workers: 2, names: ['parquet'], isInBucket: true },
    { workers: 3, names: NAMES, isInBucket: false },
  ] as const
  it.each(ways)('with $workers workers, in a bucket: $isInBucket', async ({ workers, names, isInBucket }) => {
    const whole = await wholes()
    const objectStorage = isInBucket ? { objectStorage: server.storage } : {}
    const split: Trained = await startWith(SEED, { ...EXACT, ...SPLIT, workers, ...objectStorage })
    try {
      for (const name of names) {
        const receipt = await order(split, ORDERS[name].format, ORDERS[name].more)
        expect([name, statementOf(await ended(split, receipt))]).toEqual([name, whole[name]])
        expect((await partJobs(split, receipt)).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
      }
      await expectNothingLeft(split)
      expect(split.service.errors).toEqual([])
    } finally {
      await split.service.close()
    }
  })
})
