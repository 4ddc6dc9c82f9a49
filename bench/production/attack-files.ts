import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { textsParquet } from '../../test/formats/parquet-bytes.ts'

/** Hostile seed files, by their names in the attacks. */
export type AttackFile = 'stalling' | 'readable' | 'schema' | 'levels' | 'value' | 'years' | 'wide'

const ORDINARY = ['north', 'south', 'west']

/** Writes the files into a folder; their paths. */
export async function writeAttackFiles(folder: string): Promise<Record<AttackFile, string>> {
  const long = ['a', 'b', 'c'].map((letter) => letter.padEnd(8_000_000, 'x'))
  const write = (name: string, bytes: Buffer): string => {
    const path = join(folder, `${name}.parquet`)
    writeFileSync(path, bytes)
    return path
  }
  return {
    // As it was sent: today it unpacks to more than may be.
    stalling: write('stalling', textsParquet({ columns: Array.from({ length: 10 }, () => long), rows: 30 })),
    // As much of it as is still read, with a column that is kept.
    readable: write('readable', textsParquet({ columns: [long, long, ORDINARY, ORDINARY], rows: 60 })),
    schema: write('schema', largestSchema()),
    levels: write('levels', textsParquet({ columns: Array.from({ length: 10 }, (_, i) => texts(3, i)), rows: 60 })),
    value: write('value', textsParquet({ columns: [['x'.repeat(30_000_000)]], rows: 3_000 })),
    wide: writeWide(join(folder, 'wide.csv')),
    years: await strangeYears(join(folder, 'years.parquet')),
  }
}

/** `count` texts as long as a level may be. */
function texts(count: number, column: number): string[] {
  return Array.from({ length: count }, (_, i) => `${column}-${i} `.padEnd(1_024, 'é').slice(0, 512))
}

/** Some 4 MB of levels. */
function largestSchema(): Buffer {
  return textsParquet({ columns: Array.from({ length: 80 }, (_, i) => texts(50, i)), rows: 1_000 })
}

/** 5,000 columns of numbers that hang together. */
function writeWide(path: string): string {
  const cell = (row: number, column: number): number => ((row * 7_919 + column * 104_729) % 1_009) + row * (column % 5)
  const line = (row: number): string => Array.from({ length: 5_000 }, (_, column) => cell(row, column)).join(',')
  const head = Array.from({ length: 5_000 }, (_, column) => `c${column}`).join(',')
  writeFileSync(path, [head, ...Array.from({ length: 300 }, (_, row) => line(row))].join('\n'))
  return path
}

async function strangeYears(path: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const time = "TIMESTAMP '290000-01-01' + INTERVAL (i) DAY"
  await connection.run(`COPY (SELECT ${time} AS t, i % 3 AS k FROM range(500) r(i)) TO '${path}' (FORMAT parquet)`)
  connection.closeSync()
  instance.closeSync()
  return path
}
