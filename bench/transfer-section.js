// A large file to the service and a large artifact back, compared with a simple copy with a hash.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { limitText, megabytes, prose, table } from './report-text.js'
import { AT_REST_MS, TalkingChild, watchMemory } from './talking-child.js'

const FILE_BYTES = 200e6

/** Long labels, as survey exports have them, make many bytes of few rows. */
const COLUMNS = 10
const LEVELS = 6

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function transferSection(tempDir) {
  const seedFile = join(tempDir, 'seed.csv')
  const rows = await writeLargeFile(seedFile)
  const settings = { dataDir: join(tempDir, 'service'), operatorToken: 'bench-operator-token', threads: 2 }
  /** @type {TalkingChild[]} */
  const children = []
  // A fresh pair of processes for each direction: memory freed by an earlier step would hide growth.
  const start = async () => {
    const server = new TalkingChild('service-program.js')
    const client = new TalkingChild('client-program.js')
    children.push(server, client)
    const addresses = await server.ask(settings)
    await setTimeout(AT_REST_MS)
    return { server, client, addresses }
  }
  try {
    const up = await start()
    const credentials = await up.client.step('signUp', { ...up.addresses, operatorToken: settings.operatorToken })
    await up.client.step('connect', { ...up.addresses, ...credentials })
    await up.client.step('prepareUpload', { path: seedFile })
    const upload = await watchMemory([up.client, up.server], () => up.client.step('upload'))
    const { dataset_id: datasetId, job_id: jobId } = upload.value.value
    if (jobId) await up.client.step('awaitJob', { jobId })
    const { generationId } = await up.client.step('generate', { datasetId, rows })
    await up.client.end({ step: 'close' })
    await up.server.end('close')

    const down = await start()
    await down.client.step('connect', { ...down.addresses, ...credentials })
    const { url } = await down.client.step('artifactUrl', { generationId })
    const path = join(tempDir, 'artifact.csv')
    const download = await watchMemory([down.client, down.server], () => down.client.step('download', { url, path }))
    const copies = []
    for (const to of ['copy-1', 'copy-2']) {
      copies.push(await down.client.step('copy', { from: seedFile, to: join(tempDir, to) }))
    }
    await down.client.end({ step: 'close' })
    await down.server.end('close')

    const copy = FILE_BYTES / Math.min(...copies.map((one) => one.seconds))
    const received = download.value.value.bytes
    const rowsOut = [
      ['copy + sha256', megabytes(FILE_BYTES), rate(copy), '', '', ''],
      directionRow('upload', FILE_BYTES, upload, copy),
      directionRow('download', received, download, copy),
    ]
    return [
      ...prose(
        `Client and server in processes of their own, ${AT_REST_MS / 1000} s after the start; per second beside half of a copy; growth of RSS over idle; all forced to disk. The hash that goes before an upload is not counted.`,
      ),
      ...table(['', 'bytes', '/ s', 'limit', 'client', 'server'], rowsOut),
      ...prose(memoryText([...upload.growth, ...download.growth])),
    ]
  } finally {
    await Promise.all(children.map((child) => child.kill()))
  }
}

/**
 * @param {string} name
 * @param {number} bytes
 * @param {{ value: { seconds: number }, growth: (number | null)[] }} measured
 * @param {number} copy Bytes per second of a copy.
 */
function directionRow(name, bytes, { value, growth }, copy) {
  const speed = bytes / value.seconds
  const grown = growth.map((growthBytes) => (growthBytes === null ? 'not reported' : `+${megabytes(growthBytes)}`))
  return [name, megabytes(bytes), rate(speed), limitText(speed, copy / 2, rate, 'min'), ...grown]
}

/** @param {readonly (number | null)[]} growth */
function memoryText(growth) {
  const reported = growth.filter((bytes) => bytes !== null)
  if (reported.length === 0) return 'Memory skipped: this platform does not report it for other processes.'
  const most = Math.max(...reported)
  return `Largest growth of memory ${megabytes(most)} (${limitText(most, 100e6, megabytes)}).`
}

/** @param {number} bytesPerSecond */
function rate(bytesPerSecond) {
  return megabytes(bytesPerSecond)
}

/**
 * @param {string} path
 * @returns {Promise<number>} Rows.
 */
async function writeLargeFile(path) {
  const head = `${Array.from({ length: COLUMNS }, (_, i) => `question.${i + 1}`).join(',')}\n`
  // About 1 MB of rows, repeated: only their transfer is measured, not their content.
  const piece = Array.from({ length: 1_500 }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => label((row * (column + 7) + (row >> (column % 5))) % LEVELS)).join(
      ',',
    ),
  )
  const text = Buffer.from(`${piece.join('\n')}\n`)
  const file = await open(path, 'wx')
  let written = (await file.write(head)).bytesWritten
  let rows = 0
  while (written + text.length <= FILE_BYTES) {
    written += (await file.write(text)).bytesWritten
    rows += piece.length
  }
  await file.close()
  return rows
}

/** @param {number} level */
function label(level) {
  return `agreement-${level + 1}-with-the-statement-as-it-was-read-out-to-the-person`
}
