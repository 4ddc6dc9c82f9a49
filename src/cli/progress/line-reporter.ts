import { type Clock, systemClock } from '../../base/clock.ts'
import { bytesText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { RunEvent } from '../../runner/interface/run-event.ts'
import {
  evidenceWarning,
  faultText,
  MOST_LINES,
  noticeText,
  readyText,
  retryNotices,
  retypedText,
  rowsText,
  stopText,
  unknownStatusText,
  waitingText,
} from '../output/event-text.ts'
import type { Reporter, ReporterOptions } from './reporter.ts'

const HEARTBEAT_MS = 60_000

/** How often successful scenarios are counted where they have no line each. */
const COUNTED_STEPS = 10

export interface LineReporterOptions extends Pick<ReporterOptions, 'quiet' | 'verbose'> {
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>
  readonly clock?: Clock
}

/**
 * Without a terminal (logs, CI, cron): one line per change, no control codes, no line that is rewritten. A heartbeat each
 * minute shows a watchdog that a long training is alive.
 */
export function createLineReporter(options: LineReporterOptions): Reporter {
  const { stderr, quiet, verbose, clock = systemClock } = options
  let finished = 0
  let total = 0
  let counted = 0
  const running = new Set<string>()
  const lastStage = new Map<string, string>()
  const noticeOf = retryNotices()
  const stops = new Set<string>()

  const say = (line: string): void => {
    stderr.write(`${escapeText(line)}\n`)
  }
  const print = (line: string) => {
    if (!quiet) say(line)
  }
  const stopHeartbeat = clock.every(HEARTBEAT_MS, () =>
    print(total === 0 ? 'still running' : `still running: ${finished} of ${total} scenarios done`),
  )
  const each = () => total <= MOST_LINES || verbose
  const finish = () => {
    finished++
    const step = Math.floor((finished * COUNTED_STEPS) / total)
    if (each() || step === counted) return
    counted = step
    print(`${finished} of ${total} scenarios done`)
  }

  function onEvent(event: RunEvent): void {
    switch (event.type) {
      case 'plan':
        total = event.plan.scenarios.filter((s) => s.selected).length
        return
      case 'dataset.uploading':
        if (event.sentBytes === 0) print(`dataset ${event.dataset}: uploading ${bytesText(event.totalBytes)}`)
        return
      case 'dataset.training': {
        // A job that has ended has no stage any more; it does not wait again.
        if (event.stage === null && lastStage.has(event.dataset)) return
        const stage = event.stage ?? 'waiting for training'
        if (lastStage.get(event.dataset) === stage) return
        lastStage.set(event.dataset, stage)
        return print(`dataset ${event.dataset}: ${stage}`)
      }
      case 'dataset.ready':
        return print(`dataset ${event.dataset}: ${readyText(event)}`)
      case 'dataset.expired':
        return print(`dataset ${event.dataset}: expired at the service; it will be uploaded again`)
      case 'dataset.retyped':
        return print(`dataset ${event.dataset}: ${retypedText(event)}`)
      case 'dataset.failed':
        return say(`dataset ${event.dataset}: FAILED: ${faultText(event.error)}`)
      case 'scenario.submitted':
        running.add(event.scenario)
        if (!each()) return
        return print(
          `${event.scenario}: submitted, ${plural(event.rows, 'row')}${event.replayed ? ' (was submitted before)' : ''}`,
        )
      case 'scenario.bumped':
        return print(`${event.scenario}: its earlier result is gone; generating it again (epoch ${event.epoch})`)
      case 'scenario.expired':
        return print(`${event.scenario}: expired at the service`)
      case 'scenario.ready':
      case 'scenario.partial': {
        running.delete(event.scenario)
        if (each() || event.type === 'scenario.partial')
          print(`${event.scenario}: ${event.type.slice('scenario.'.length)}, ${rowsText(event)} (${event.how})`)
        if (event.result.shortfall) print(`${event.scenario}: ${event.result.shortfall.detail}`)
        const thin = evidenceWarning(event.result)
        if (thin !== null) print(`${event.scenario}: warning: ${thin}`)
        return finish()
      }
      case 'scenario.failed':
        running.delete(event.scenario)
        say(`${event.scenario}: FAILED: ${faultText(event.error)}`)
        return finish()
      case 'scenario.not_started':
      case 'scenario.interrupted': {
        if (!each()) return
        const text = stopText(event)
        // The end of the run has a line for all that did not begin; here are the ids of work that continues at the service.
        if (event.isReportedAtEnd && event.type === 'scenario.not_started' && !verbose) {
          if (text.endsWith(']') && !stops.has(text)) print(text)
          stops.add(text)
          return
        }
        return print(`${event.scenario}: ${text}`)
      }
      case 'breaker.opened':
        return say(
          `nothing more is submitted (${event.reason})${running.size === 0 ? '' : `; ${plural(running.size, 'scenario')} in progress will be completed`}`,
        )
      case 'retry': {
        const notice = noticeOf(event)
        if (notice !== null && !verbose) print(notice)
        if (verbose)
          print(
            `retry ${event.attempt} of ${event.subject} in ${Math.round(event.delayMs)} ms: ${event.reason} at ${event.origin}${event.requestId ? ` [request ${event.requestId}]` : ''}`,
          )
        return
      }
      case 'status.unknown':
        return say(`${event.subject.replace(/^scenario /, '')}: ${unknownStatusText(event)}`)
      case 'lock.waiting':
        return print(waitingText(event))
      case 'journal.recovered':
        return print(`the incomplete last line of the journal (${plural(event.cutBytes, 'byte')}) was removed`)
      case 'lock.taken_over':
      case 'manifest.damaged':
      case 'results.unknown':
        return say(noticeText(event))
      case 'journal.pending':
        return print(
          `resuming ${plural(event.uploads, 'upload')} and ${plural(event.generations, 'generation')} of an earlier run`,
        )
      case 'run.started':
      case 'diagnostics':
      case 'dataset.hashing':
      case 'dataset.hashed':
      case 'scenario.polling':
      case 'scenario.downloading':
      case 'scenario.downloaded':
      // The summary reports them.
      case 'gate':
      case 'manifest.written':
      case 'run.finished':
        return
      default:
        return event satisfies never
    }
  }

  return {
    onEvent,
    onService: (state) => {
      if (state === 'starting') print('starting the embedded service')
    },
    asking: (work) => work(),
    async close() {
      stopHeartbeat()
    },
  }
}
