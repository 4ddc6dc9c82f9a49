import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../base/clock.ts'
import { durationText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { thisProcess } from '../../base/this-process.ts'
import { type Connection, serviceLabel } from '../../local/service-connection.ts'
import { readStudyFile } from '../../local/study-file.ts'
import { EXIT_CODES, RunRefusalError } from '../../runner/interface/exit-code.ts'
import { locatedMessage } from '../../runner/interface/fault-text.ts'
import { askLiveJobs, type LiveJob, liveJobIds } from '../../runner/live-jobs.ts'
import { isPast, type RunRecord } from '../../runner/state/run-records.ts'
import { endingBefore, readStudyStatus, type StudyStatus } from '../../runner/study-status.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { resolveConnection } from '../access/connection.ts'
import { chosenState } from '../access/state-storage.ts'
import { addStatusOptions, type StatusFlags } from '../options/study-options.ts'
import { errorText } from '../output/error-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { statusText } from '../output/status-text.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { reportInvalid, sayDiagnostics } from '../steps/report-study.ts'

/** Exit code of the alarm. */
const CONDITION_TRUE = 12

/** A service that does not answer must not delay a watchdog. */
const LIVE_DEADLINE_MS = 5_000

/** Declares `whatif status`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addStatusOptions(command)
    .description(
      'Show the last run of a study, its datasets, each scenario with rows, age and expiry, and what is pending. This is read ' +
        'from disk; only a remote service is asked, about jobs that may be running. With --max-age or --expiring, exit code ' +
        '12 raises the alarm.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => {
      process.exitCode = await status(file, flags, env)
    })
}

/**
 * `whatif status`: read from the disk. A remote service is asked about jobs that may be running, unless `--offline`. The
 * embedded service is not running now, and is not started for this.
 */
export async function status(path: string, flags: StatusFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const file = await readStudyFile(path)
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('status', [file], flags, terminal)
  const connection = await resolveConnection(flags, env)
  const state = await chosenState(flags, env, file.projectRoot)
  try {
    const found = await readStudyStatus(
      {
        study,
        studyFile: file.path,
        projectRoot: file.projectRoot,
        out: flags.out === undefined ? null : resolve(flags.out),
        allowOutside: flags.allowOutside ?? false,
        service: { label: serviceLabel(connection), kind: connection.kind },
        selection: { select: flags.select ?? [], exclude: flags.exclude ?? [] },
        scope: state?.scope ?? flags.scope ?? null,
        ...(state !== null && { reads: state.reads }),
      },
      { fs, clock: systemClock, process: thisProcess(), ...(state !== null && { shared: async () => state.store }) },
    )
    const jobs = flags.offline ? new Map<string, LiveJob>() : await liveJobs(connection, found, terminal)
    const now = systemClock.now()
    const alarms = alarmsOf(found, flags, now)
    const exitCode = alarms.length > 0 ? CONDITION_TRUE : EXIT_CODES.ok
    if (flags.json) {
      const data = { ...statusData(found, connection, jobs), conditions: alarms }
      terminal.stdout.write(jsonDocument({ command: 'status', exitCode, data }))
    } else {
      terminal.stdout.write(statusText(found, jobs, { now, width: terminal.width, file: path }))
      for (const { text } of alarms) terminal.stderr.write(`status: ${escapeText(text)}\n`)
    }
    return exitCode
  } catch (error) {
    if (!(error instanceof RunRefusalError)) throw error
    const exitCode = EXIT_CODES[error.reason]
    const { message, diagnostics } = error
    if (flags.json) {
      terminal.stdout.write(jsonDocument({ command: 'status', exitCode, data: { message }, diagnostics }))
    } else {
      sayDiagnostics([file], diagnostics, terminal)
      if (diagnostics.length === 0) terminal.stderr.write(errorText(message, terminal.stderr))
    }
    return exitCode
  } finally {
    await state?.store.close()
  }
}

async function liveJobs(
  connection: Connection,
  found: StudyStatus,
  terminal: Terminal,
): Promise<ReadonlyMap<string, LiveJob>> {
  const ids = liveJobIds(found)
  if (connection.kind === 'embedded' || ids.length === 0) return new Map()
  const { createServiceClient } = await import('../../client/create-service-client.ts')
  const client = createServiceClient(connection)
  try {
    return await askLiveJobs(client, ids, { deadlineMs: systemClock.now() + LIVE_DEADLINE_MS })
  } catch (error) {
    terminal.stderr.write(`note: the service could not be reached: ${escapeText(locatedMessage(error))}\n`)
    return new Map()
  } finally {
    await client.close()
  }
}

interface Alarm {
  readonly condition: 'max_age' | 'expiring'
  readonly text: string
}

function alarmsOf(found: StudyStatus, flags: StatusFlags, now: number): readonly Alarm[] {
  const alarms: Alarm[] = []
  if (flags.maxAge !== undefined) {
    const at = found.lastComplete?.finishedAt ?? null
    if (at === null) alarms.push({ condition: 'max_age', text: 'there is no complete run' })
    else if (!isPast(at, now))
      alarms.push({
        condition: 'max_age',
        text: `the last complete run ended at ${at}, which is not in the past: its age is unknown; check the clock of this machine and of the one that ran it, and run the study again`,
      })
    else if (now - Date.parse(at) > flags.maxAge)
      alarms.push({
        condition: 'max_age',
        text: `the last complete run is older than --max-age (${durationText(flags.maxAge)}); it ended at ${at}`,
      })
  }
  if (flags.expiring !== undefined)
    for (const { what, id, at } of endingBefore(found, now, now + flags.expiring))
      alarms.push({ condition: 'expiring', text: `${what} ${id} expires at ${at}` })
  return alarms
}

function statusData(found: StudyStatus, connection: Connection, jobs: ReadonlyMap<string, LiveJob>): object {
  const job = (id: string | null) => (id === null ? null : { job_id: id, ...(jobs.get(id) ?? { status: null }) })
  return {
    study: found.study,
    service: connection.kind,
    last_run: runData(found.last),
    last_complete_run: runData(found.lastComplete),
    lock:
      found.lock === null
        ? null
        : {
            pid: found.lock.holder.pid,
            host: found.lock.holder.host,
            run_id: found.lock.holder.runId,
            started_at: found.lock.holder.startedAt,
            heartbeat_at: found.lock.holder.heartbeatAt,
            is_alive: found.lock.stale === null,
          },
    pending: found.pending,
    parts: found.parts,
    datasets: Object.fromEntries(
      found.datasets.map((d) => [
        d.id,
        {
          status: d.status,
          dataset_id: d.datasetId,
          trained_at: d.trainedAt,
          expires_at: d.expiresAt,
          job: job(d.jobId),
          error: d.error,
        },
      ]),
    ),
    scenarios: Object.fromEntries(
      found.scenarios.map((s) => [
        s.id,
        {
          status: s.status,
          rows_requested: s.requested,
          rows: s.rows,
          since: s.since,
          expires_at: s.expiresAt,
          file: s.file,
          changed: s.isChanged,
          job: job(s.jobId),
          error: s.error,
        },
      ]),
    ),
  }
}

function runData(run: RunRecord | null): object | null {
  if (run === null) return null
  const { id, status: ended, startedAt, finishedAt, exitCode, reason, also } = run
  return { id, status: ended, started_at: startedAt, finished_at: finishedAt, exit_code: exitCode, reason, also }
}
