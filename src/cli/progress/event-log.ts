import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { type Clock, timestamp } from '../../base/clock.ts'
import { escapeJson, escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { EventRecord } from '../../records/events.ts'
import type { RunEvent } from '../../runner/interface/run-event.ts'
import { eventRecords } from './event-record.ts'
import type { Reporter } from './reporter.ts'

/** Progress of a transfer is written at most this often; its beginning and end are always written. */
const PROGRESS_EVERY_MS = 1_000

export interface EventLogOptions {
  /** File to append to; null = `stderr`. */
  readonly file: string | null
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>
  readonly clock: Clock
}

/**
 * The events of a run as lines of JSON (`schemas/events.v1.json`). A line leaves the process whole before the run continues,
 * so that it survives a kill. A file is appended to, and never holds half a line before a later one.
 */
export function openEventLog({ file, stderr, clock }: EventLogOptions): Reporter {
  const descriptor = file === null ? null : openForLines(file)
  let run: string | null = null
  let isBroken = false
  let lastPlan: string | null = null
  const lastProgress = new Map<string, number>()

  function write(record: EventRecord): void {
    const head = { v: 1, ts: timestamp(clock), ...(run === null ? {} : { run }) }
    const line = `${escapeJson(JSON.stringify({ ...head, ...record }))}\n`
    if (descriptor === null) {
      stderr.write(line)
      return
    }
    if (isBroken) return
    try {
      writeWhole(descriptor, Buffer.from(line))
    } catch (error) {
      // A log is worth less than a run that was paid for.
      isBroken = true
      const code = (error as NodeJS.ErrnoException).code
      stderr.write(`warning: events cannot be written (${code}); the run continues without them\n`)
    }
  }

  function isTooSoon(event: RunEvent): boolean {
    const key = progressOf(event)
    if (key === null) return false
    const now = clock.now()
    const last = lastProgress.get(key)
    if (last !== undefined && now - last < PROGRESS_EVERY_MS) return true
    lastProgress.set(key, now)
    return false
  }

  return {
    onEvent(event) {
      if (event.type === 'run.started') run = event.runId
      if (isTooSoon(event)) return
      const records = eventRecords(event)
      // A run plans again whenever it learns something, which mostly changes nothing.
      if (event.type === 'plan') {
        const plan = JSON.stringify(records)
        if (plan === lastPlan) return
        lastPlan = plan
      }
      for (const record of records) write(record)
    },
    onService: (state) => write({ type: 'service', state }),
    asking: (work) => work(),
    async close() {
      if (descriptor !== null) closeSync(descriptor)
    },
  }
}

/** The transfer that an event belongs to; null for events that are always written. */
function progressOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'dataset.uploading':
      return event.sentBytes === 0 ? null : `upload ${event.dataset}`
    case 'scenario.downloading':
      return `download ${event.scenario}`
    default:
      return null
  }
}

/** Opens a file for appending. An incomplete last line (after a power cut) is ended, so that the next stands alone. */
function openForLines(file: string): number {
  let descriptor: number
  try {
    descriptor = openSync(file, 'a+', 0o644)
  } catch (error) {
    throw notWritable(file, error)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size === 0) return descriptor
    const byteAt = (at: number) => {
      const byte = Buffer.alloc(1)
      readSync(descriptor, byte, 0, 1, at)
      return String.fromCharCode(byte[0]!)
    }
    // A mistyped name must not add lines to a study or to data.
    if (byteAt(0) !== '{')
      throw new SetupError(
        2,
        `--events=${escapeText(file)}: the file exists and is not a log of events; give another name`,
      )
    if (byteAt(stats.size - 1) !== '\n') writeWhole(descriptor, Buffer.from('\n'))
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error instanceof SetupError ? error : notWritable(file, error)
  }
}

/** A line is one system call, unless the system takes less than it is given. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

function notWritable(file: string, error: unknown): SetupError {
  const code = (error as NodeJS.ErrnoException).code
  const why =
    code === 'EISDIR'
      ? 'it is a folder'
      : code === 'ENOENT'
        ? 'its folder does not exist; create it first'
        : `it cannot be written (${code})`
  return new SetupError(2, `--events=${escapeText(file)}: ${why}`)
}
