import { bytesText, percent, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { wrapped } from '../../base/text/fit-text.ts'
import type { RunEvent } from '../../runner/interface/run-event.ts'
import {
  bar,
  faultText,
  MOST_LINES,
  noticeText,
  readyText,
  retryText,
  retypedText,
  rowsText,
  stopText,
  unknownStatusText,
  waitingText,
} from '../output/event-text.ts'
import { LiveLine, liveList, widthOf } from './live-list.ts'
import type { Reporter, ReporterOptions } from './reporter.ts'

const BAR_WIDTH = 20

/** A list that redraws itself, for a person at a terminal: a line per dataset, then a line per scenario. */
export function createLiveReporter(options: ReporterOptions): Reporter {
  const { study, stderr } = options
  const datasets = new Map<string, LiveLine>()
  for (const id of new Set(study.scenarios.map((s) => s.dataset))) datasets.set(id, new LiveLine(`dataset ${id}`))
  const each = study.scenarios.length <= MOST_LINES
  const scenarios = new Map<string, LiveLine>()
  if (each) for (const { id } of study.scenarios) scenarios.set(id, new LiveLine(id))
  const running = new Set<string>()
  const tally = { total: study.scenarios.length, done: 0, failed: 0, interrupted: 0, notStarted: 0, rows: 0 }
  /** Datasets that are being uploaded or trained. */
  const making = new Set<string>()
  let isStarting = false
  /** The list has one line for a task, which they do not fit; they stand below it. */
  const notices: string[] = []
  const all = new LiveLine('scenarios', [...scenarios.values()])
  const service = new LiveLine('service')

  const list = liveList([service, ...datasets.values(), all], stderr, options.color)

  const names = Math.max(0, ...study.scenarios.map((s) => s.id.length))
  const line = (id: string, text: string) => escapeText(`${id.padEnd(Math.min(names, 36))}  ${text}`)
  const counted = () => {
    const { total, done, failed, interrupted, notStarted, rows } = tally
    const counts = { running: running.size, failed, interrupted, 'not started': notStarted }
    const parts = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [` · ${count} ${word}`] : []))
    all.title = `scenarios ${done} of ${total} done${parts.join('')} · ${plural(rows, 'row')}`
    if (!each) all.output = [...running].slice(0, 3).join(', ')
  }
  const end = (id: string, how: 'done' | 'failed' | 'interrupted' | 'notStarted', show: (task: LiveLine) => void) => {
    tally[how]++
    running.delete(id)
    counted()
    // Before its last line ends, which would end it with a tick.
    if (tally.done + tally.failed + tally.interrupted + tally.notStarted >= tally.total) endAll()
    const task = scenarios.get(id)
    if (task) show(task)
  }
  const endAll = () => {
    const { total, done, failed } = tally
    if (done + failed >= total) all.done()
    else if (done + failed + tally.interrupted + tally.notStarted > 0) all.interrupt()
    else all.skip('scenarios  not reached')
  }

  function onDataset(event: Extract<RunEvent, { type: `dataset.${string}` }>): void {
    const task = datasets.get(event.dataset)
    if (!task) return
    const name = `dataset ${event.dataset}`
    switch (event.type) {
      case 'dataset.hashing':
        task.title = `${name}  reading ${bytesText(event.totalBytes)}`
        return
      case 'dataset.hashed':
        task.title = `${name}  ${bytesText(event.totalBytes)}`
        return
      case 'dataset.uploading': {
        making.add(event.dataset)
        const fraction = event.totalBytes === 0 ? 1 : event.sentBytes / event.totalBytes
        task.title = `${name}  uploading ${bar(fraction, BAR_WIDTH)} ${bytesText(event.sentBytes)} of ${bytesText(event.totalBytes)}`
        return
      }
      case 'dataset.training':
        making.add(event.dataset)
        task.title =
          event.progress === null
            ? `${name}  ${event.stage ?? 'waiting for training'}`
            : `${name}  ${(event.stage ?? 'training').padEnd(9)} ${bar(event.progress, BAR_WIDTH)} ${percent(event.progress)}`
        return
      case 'dataset.ready':
        making.delete(event.dataset)
        return task.done(`${name}  ${readyText(event)}`)
      case 'dataset.expired':
        task.title = `${name}  expired at the service, uploading again`
        return
      case 'dataset.retyped':
        task.title = `${name}  ${retypedText(event)}`
        return
      case 'dataset.failed':
        return task.fail(escapeText(`${name}: ${faultText(event.error)}`))
      default:
        return event satisfies never
    }
  }

  function onScenario(event: Extract<RunEvent, { type: `scenario.${string}` }>): void {
    const id = event.scenario
    const task = scenarios.get(id)
    switch (event.type) {
      case 'scenario.submitted':
        running.add(id)
        if (task) task.title = line(id, `${plural(event.rows, 'row')} submitted`)
        return counted()
      case 'scenario.polling':
        if (task)
          task.title = line(
            id,
            `${event.stage ?? 'generating'}${event.progress === null ? '' : ` ${bar(event.progress, 10)} ${percent(event.progress)}`}`,
          )
        return
      case 'scenario.downloading':
        if (task) task.title = line(id, `downloading ${bytesText(event.receivedBytes)}`)
        return
      case 'scenario.downloaded':
        if (task) task.title = line(id, `downloaded ${bytesText(event.bytes)}, measuring`)
        return
      case 'scenario.bumped':
        if (task) task.title = line(id, `earlier result is gone; generating it again (epoch ${event.epoch})`)
        return
      case 'scenario.expired':
        if (task) task.title = line(id, 'expired at the service')
        return
      case 'scenario.ready':
      case 'scenario.partial': {
        tally.rows += event.result.rows.counted ?? 0
        const text = `${rowsText(event)}${event.type === 'scenario.partial' ? ' (partial)' : ''}`
        return end(id, 'done', (t) => t.done(line(id, `${text} · ${event.how}`)))
      }
      case 'scenario.failed':
        return end(id, 'failed', (t) => t.fail(line(id, faultText(event.error))))
      case 'scenario.not_started':
        return end(id, 'notStarted', (t) => t.skip(line(id, stopText(event))))
      case 'scenario.interrupted':
        return end(id, 'interrupted', (t) => t.interrupt(line(id, stopText(event))))
      default:
        return event satisfies never
    }
  }

  // A fault stays under its task until the task continues.
  const inTrouble = new Set<LiveLine>()
  const taskOf = (subject: string): LiveLine => {
    const [kind, id = ''] = subject.split(' ')
    return (kind === 'dataset' ? datasets.get(id) : scenarios.get(id)) ?? all
  }
  function onRetry(event: Extract<RunEvent, { type: 'retry' }>): void {
    const task = taskOf(event.subject)
    inTrouble.add(task)
    task.output = escapeText(retryText(event))
  }
  function goesOn(subject: string): void {
    const task = taskOf(subject)
    if (inTrouble.delete(task)) task.output = ''
  }

  function onEvent(event: RunEvent): void {
    if (event.type === 'retry') return onRetry(event)
    if ('dataset' in event) goesOn(`dataset ${event.dataset}`)
    if ('scenario' in event) goesOn(`scenario ${event.scenario}`)
    if (event.type.startsWith('dataset.')) return onDataset(event as Extract<RunEvent, { type: `dataset.${string}` }>)
    if (event.type.startsWith('scenario.'))
      return onScenario(event as Extract<RunEvent, { type: `scenario.${string}` }>)
    if (event.type === 'status.unknown') {
      taskOf(event.subject).output = escapeText(unknownStatusText(event))
      return
    }
    if (event.type === 'lock.waiting') service.output = escapeText(waitingText(event))
    if (event.type === 'lock.taken_over' || event.type === 'manifest.damaged' || event.type === 'results.unknown')
      notices.push(noticeText(event))
    if (event.type === 'plan')
      for (const plan of event.plan.scenarios) {
        const task = scenarios.get(plan.id)
        if (!plan.selected && task) {
          tally.total--
          task.skip(line(plan.id, 'not selected'))
        }
      }
  }

  return {
    onEvent,
    onService(state) {
      isStarting = state === 'starting'
      if (isStarting) service.title = 'service  starting, embedded'
      else service.done(`service  ${state}`)
    },
    asking: (work) => list.pause(work),
    async close() {
      if (isStarting) service.interrupt('service  not started')
      else service.skip('service  not needed')
      for (const [id, task] of datasets)
        if (making.has(id)) task.interrupt(`dataset ${id}  interrupted`)
        else task.skip(`dataset ${id}`)
      endAll()
      for (const [id, task] of scenarios) task.skip(line(id, 'not reached'))
      list.close()
      for (const notice of notices) stderr.write(wrapped('note: ', notice, widthOf(stderr)))
    },
  }
}
