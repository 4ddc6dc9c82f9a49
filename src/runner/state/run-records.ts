import { join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import type { ManifestStatus } from '../../records/manifest/manifest.ts'

/** The facts about a run from the files that it left. */
export interface RunRecord {
  readonly id: string
  /** Also `running` for a run that was killed. */
  readonly status: ManifestStatus
  /** RFC 3339. */
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly exitCode: number | null
  readonly reason: string | null
  readonly also: readonly string[]
  /** Status of each scenario, by id. */
  readonly scenarios: ReadonlyMap<string, string>
}

export interface RunRecords {
  /** The newest run, including refused ones. */
  readonly last: RunRecord | null
  /**
   * The newest run that ended complete and with exit code 0, and has results for all requested scenarios. One that ended in
   * the future, by the clock of this machine, only where there is no other.
   */
  readonly lastComplete: RunRecord | null
}

interface RecordsWanted {
  readonly service: 'embedded' | 'remote'
  /** Null: any scope. */
  readonly scope: string | null
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** Clocks of machines that share a project differ by this much at most. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Whether a time is in the past, as far as clocks agree. An unreadable one is not. */
export function isPast(at: string, nowMs: number): boolean {
  return Date.parse(at) <= nowMs + CLOCK_TOLERANCE_MS
}

/** Most records to read: refused runs may have left one every minute for a year. */
const MOST_RECORDS = 500
/** A manifest of 10,000 scenarios has about 30 MB. */
const MOST_BYTES = 256 * 1024 * 1024

/** The files that runs wrote about themselves: `manifest.json`, and `runs/` with a record of each. */
export interface RecordFiles {
  /** Names in `runs/`. */
  names(): Promise<readonly string[]>
  /** Null: there is no such file, or a longer one. */
  read(path: string): Promise<string | null>
}

/** Those of an output folder. */
const recordsOnDisk = (fs: FileSystem, folder: string): RecordFiles => ({
  names: () => fs.readdir(join(folder, 'runs')).catch(() => []),
  async read(path) {
    const stats = await fs.lstat(join(folder, path))
    if (!stats.isFile() || Number(stats.size) > MOST_BYTES) return null
    return await fs.readFile(join(folder, path), 'utf8')
  },
})

type WantedRuns = RecordsWanted & { readonly scenarios: ReadonlySet<string> }

/**
 * Reads `manifest.json` and `runs/` of an output folder, newest first and no more than needed. Records that are
 * unreadable, or belong to the other kind of service or to another scope, are skipped.
 */
export function readRunRecords(fs: FileSystem, outputFolder: string, options: WantedRuns): Promise<RunRecords> {
  return newestRuns(recordsOnDisk(fs, outputFolder), options)
}

export async function newestRuns(files: RecordFiles, options: WantedRuns): Promise<RunRecords> {
  const names = await files.names()
  const records = names.filter((name) => /^\d{8}T\d{6}Z-[0-9a-z]{6}\.json$/.test(name)).sort((a, b) => (a < b ? 1 : -1))
  const read = (path: string) => readRecord(files, path, options)
  // A run that is active, or was killed, has a manifest and no record of its own yet.
  const manifest = await read('manifest.json')
  let last = manifest
  const past: (RunRecord | null)[] = [null]
  const future: (RunRecord | null)[] = [null]
  const take = (record: RunRecord) => {
    if (!isComplete(record, options.scenarios)) return
    const found = isPast(record.finishedAt ?? record.startedAt, options.nowMs) ? past : future
    if (isNewer(record, found[0] ?? null)) found[0] = record
  }
  for (const name of records.slice(0, MOST_RECORDS)) {
    const [newest = null] = past
    if (newest !== null && secondOf(name) < secondOf(newest.id)) break
    const isKnown = manifest !== null && name === `${manifest.id}.json`
    const record = isKnown ? manifest : await read(`runs/${name}`)
    if (record === null) continue
    if (isNewer(record, last)) last = record
    take(record)
  }
  if (manifest !== null) take(manifest)
  return { last, lastComplete: past[0] ?? future[0] ?? null }
}

/** Ids sort by the second in which their runs began; within a second the full time decides. */
function isNewer(record: RunRecord, than: RunRecord | null): boolean {
  if (than === null) return true
  const [one, other] = [record, than].map(({ id, startedAt }) => `${secondOf(id)} ${startedAt} ${id}`)
  return one! > other!
}

function secondOf(id: string): string {
  return id.slice(0, 'yyyymmddThhmmssZ'.length)
}

function isComplete(record: RunRecord, scenarios: ReadonlySet<string>): boolean {
  const isDone = (id: string) => ['ready', 'partial'].includes(record.scenarios.get(id) ?? '')
  return record.status === 'complete' && record.exitCode === 0 && [...scenarios].every(isDone)
}

async function readRecord(files: RecordFiles, path: string, wanted: RecordsWanted): Promise<RunRecord | null> {
  try {
    const json = mapOf(JSON.parse((await files.read(path)) ?? ''))
    const run = mapOf(json.get('run'))
    const outcome = mapOf(json.get('outcome') ?? {})
    const id = textOf(run.get('id'))
    const startedAt = textOf(run.get('started_at'))
    const status = textOf(json.get('status')) as ManifestStatus
    if (!/^\d{8}T\d{6}Z-[0-9a-z]{6}$/.test(id) || run.get('service') !== wanted.service) return null
    if (wanted.scope !== null && run.get('scope') !== wanted.scope) return null
    if (!['running', 'complete', 'interrupted', 'refused'].includes(status)) return null
    const code = outcome.get('exit_code')
    const also = outcome.get('also')
    return {
      id,
      status,
      startedAt: timeOf(startedAt) ?? '',
      finishedAt: timeOf(run.get('finished_at')),
      exitCode: Number.isSafeInteger(code) ? (code as number) : null,
      reason: textOf(outcome.get('reason')) || null,
      also: Array.isArray(also) ? also.map(textOf) : [],
      scenarios: new Map(
        [...mapOf(json.get('scenarios'))].map(([name, result]) => [name, textOf(mapOf(result).get('status'))]),
      ),
    }
  } catch {
    return null
  }
}

function mapOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('expected an object')
  return new Map(Object.entries(value))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function timeOf(value: unknown): string | null {
  return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? value : null
}
