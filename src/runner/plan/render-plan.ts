import { agoText, countText, inText, listText } from '../../base/text/amount-text.ts'
import { escapeText as printable } from '../../base/text/escape-text.ts'
import {
  type Action,
  type BudgetViolation,
  type Change,
  DATASET_GONE,
  type DatasetPlan,
  type GenerateReason,
  type Plan,
  type ScenarioPlan,
} from './plan.ts'
import { unknownResultsText } from './unknown-results.ts'

export interface RenderPlanOptions {
  /** ms since 1970. */
  readonly now: number
  /** Characters per line; default 80. Names are never cut: a very long one has a line of its own. */
  readonly width?: number
  /** The service: `embedded`, or an origin. Absent: not shown. */
  readonly service?: string
}

/** The plan for people: a line per dataset, one per scenario, and the sum (study language, section 10). */
export function renderPlan(plan: Plan, options: RenderPlanOptions): string {
  const width = options.width ?? 80
  const rows = plan.scenarios.filter((s) => s.selected).map((s) => ({ ...line(s, plan, options.now) }))
  const idWidth = Math.min(40, Math.max(0, ...rows.map((r) => r.id.length)))
  const countWidth = Math.max(0, ...rows.map((r) => r.count.length))
  const lines = [
    ...header(plan, options.now, width),
    '',
    ...rows.flatMap((r) => scenarioLines(r, idWidth, countWidth, width)),
    ...(rows.length > 0 ? [''] : []),
    ...summary(plan, width),
    ...(options.service === undefined ? [] : [`  service: ${printable(options.service)}`]),
    ...plan.budget.violations.flatMap((v) => wrap(violationText(v), width, '  ')),
    ...plan.conflicts.flatMap((c) => {
      const text = `${c.path} was changed since it was written; move it away or pass --overwrite (${c.scenario})`
      return wrap(text, width, '  ')
    }),
    ...(plan.unknownResults === null ? [] : wrap(`note: ${unknownResultsText(plan.unknownResults)}`, width, '  ')),
    ...[...plan.models, ...plan.density].flatMap(({ severity, code, summary, detail }) => [
      ...wrap(printable(`${severity} ${code}: ${summary}`), width, '  '),
      ...detail.split('\n').flatMap((line) => wrap(printable(line), width, '    ')),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function header(plan: Plan, now: number, width: number): string[] {
  const datasets = plan.datasets.map((d) => datasetText(d, now))
  if (datasets.length === 0) return [printable(plan.study.name)]
  const [first, ...rest] = datasets as [string[], ...string[][]]
  return [
    ...joinParts([printable(plan.study.name), ...first], width),
    ...rest.flatMap((parts) => joinParts(['', ...parts], width)),
  ]
}

function datasetText(dataset: DatasetPlan, now: number): string[] {
  // Named, because changes beside it show digests of the file.
  const schema = dataset.schemaSha256 === null ? null : `schema ${dataset.schemaSha256.slice(0, 8)}`
  const inside = [dataset.source === null ? null : printable(dataset.source), schema].filter((part) => part != null)
  const name = inside.length > 0 ? `${dataset.id} (${inside.join(', ')})` : dataset.id
  const { action } = dataset
  switch (action.kind) {
    case 'upload': {
      if (action.reason === 'expired' && !action.certain) return [name, 'dataset probably expired: upload again']
      const why = { new: 'new', changed: 'changed', expired: 'expired', forced: 'forced', retry: 'failed before' }
      return [name, `upload: ${action.reason === 'refused_before' ? 'refused before' : why[action.reason]}`]
    }
    case 'resume':
      return [name, 'upload to be resumed']
    case 'failed':
      return [name, `failed: ${printable(action.error.detail)}`]
    case 'inspect':
      return [name, `dataset ${dataset.datasetId ?? ''}`]
    case 'none':
    case 'use': {
      if (dataset.datasetId === null) return [name]
      const trained = dataset.trainedAt === null ? '' : ` trained ${agoText(dataset.trainedAt, now)}`
      const ends = dataset.expiresAt === null ? '' : `, ${endText(dataset.expiresAt, now)}`
      return [name, `dataset ${dataset.datasetId}${trained}${ends}`]
    }
  }
}

function endText(at: string, now: number): string {
  return Date.parse(at) > now ? `expires ${inText(at, now)}` : `expired ${agoText(at, now)}`
}

interface Line {
  readonly mark: string
  readonly id: string
  readonly count: string
  readonly text: string
}

function line(scenario: ScenarioPlan, plan: Plan, now: number): Line {
  const note = scenario.rowsBound > 0 && scenario.notes.length > 0 ? `; ${printable(scenario.notes.join('; '))}` : ''
  return {
    mark: markOf(scenario.action),
    id: scenario.id,
    count: `${scenario.rowsBound} rows`,
    text: `${actionText(scenario.action, plan, now)}${note}`,
  }
}

function markOf(action: Action): string {
  switch (action.kind) {
    case 'generate':
      return action.reason.kind === 'changed' ? '~' : action.reason.kind === 'new' ? '+' : '!'
    case 'regenerate':
      return '!'
    case 'resume':
    case 'download':
      return '>'
    case 'copy':
    case 'reuse':
    case 'skip':
      return '='
    case 'failed':
      return 'x'
  }
}

const FILE_TEXTS = {
  missing: 'file missing',
  different: 'file differs',
  edited: 'file was changed: move it away or pass --overwrite',
} as const

function actionText(action: Action, plan: Plan, now: number): string {
  switch (action.kind) {
    case 'generate':
      return reasonText(action.reason, action.epoch)
    case 'regenerate': {
      const when = action.expiredAt === null ? '' : ` ${agoText(action.expiredAt, now)}`
      const how = action.fromEpoch === null ? 'new dataset' : `epoch ${action.fromEpoch} → ${action.epoch}`
      return `${action.certain ? 'expired' : 'probably expired'}${when} (${how})`
    }
    case 'resume':
      return {
        prepared: 'resume (sent before, answer not seen: same key)',
        processing: 'resume (running at the service)',
        done: 'resume (generated, not downloaded yet)',
      }[action.from]
    case 'download': {
      const file = FILE_TEXTS[action.because]
      const alive = action.aliveUntil === null ? '' : `, artifact alive ${inText(action.aliveUntil, now).slice(3)}`
      return `re-download (${file}${alive})`
    }
    case 'copy':
      return `copy of ${action.of} (same request)`
    case 'reuse':
      if (action.renamedFrom !== null) return `up to date (renamed from ${action.renamedFrom})`
      return action.from === null ? 'up to date' : `up to date (copied from ${printable(action.from)})`
    case 'failed': {
      const detail = printable(action.error.detail)
      return action.error.code === DATASET_GONE ? detail : `failed before: ${detail} (--retry-failed tries again)`
    }
    case 'skip':
      return plan.scope === null ? 'not selected' : `not selected (scope ${plan.scope})`
  }
}

function reasonText(reason: GenerateReason, epoch: number): string {
  const again = epoch > 0 ? ` (epoch ${epoch - 1} → ${epoch})` : ''
  switch (reason.kind) {
    case 'new':
      return `new${again}`
    case 'changed':
      return `changed: ${changesText(reason.changes)}`
    case 'random_seed':
      return 'random seed: drawn again'
    case 'forced':
      return `forced${again}`
    case 'dataset_forced':
      return 'dataset forced'
    case 'retry':
      return `failed before, retry${again}`
    case 'refused_before':
      return `refused before: ${printable(reason.error.detail)}`
  }
}

/** Changes that fit on a line. */
const MOST_CHANGES = 4

function changesText(changes: readonly Change[]): string {
  const named = changes.map((c) => {
    const field = printable(c.field)
    if (c.before === null) return `${field} added (${printable(c.after ?? '')})`
    if (c.after === null) return `${field} removed`
    return `${field} ${printable(c.before)} → ${printable(c.after)}`
  })
  return listText(named, MOST_CHANGES)
}

function summary(plan: Plan, width: number): string[] {
  const t = plan.totals
  const parts = [`upload ${t.upload}`, `generate ${t.generate}`, `download ${t.download}`, `reuse ${t.reuse}`]
  if (t.resume > 0) parts.push(`resume ${t.resume}`)
  if (t.copy > 0) parts.push(`copy ${t.copy}`)
  if (t.failed > 0) parts.push(`failed ${t.failed}`)
  const budget = plan.budget.rowsPerRun === null ? '' : `  (budget ${countText(plan.budget.rowsPerRun)})`
  const bound = `at most ${countText(t.rowsBound)} rows billed${budget}`
  const counts = parts.join(' · ')
  const one = `  ${counts}      ${bound}`
  return one.length <= width ? [one] : [`  ${counts}`, `  ${bound}`]
}

/** What exceeds which budget, and what would have to be left out. */
export function violationText(violation: BudgetViolation): string {
  switch (violation.kind) {
    case 'rows_per_run':
      return `over budget: ${countText(violation.bound)} rows, at most ${countText(violation.limit)} ${perRun(violation.limit_of_all)}; leave out ${violation.drop.join(', ')}`
    case 'rows_per_scenario':
      return `over budget: ${violation.scenario} asks for ${countText(violation.rows)} rows, at most ${countText(violation.limit)} per scenario`
    case 'new_datasets_per_run':
      return `over budget: uploads ${violation.uploads.join(', ')}, at most ${violation.limit} new datasets per run`
  }
}

const perRun = (ofAll: number | undefined): string =>
  ofAll === undefined ? 'per run' : `in this part of ${countText(ofAll)} for all parts together`

function scenarioLines(row: Line, idWidth: number, countWidth: number, width: number): string[] {
  const indent = ' '.repeat(5 + idWidth + 4 + countWidth + 3)
  const head = `  ${row.mark}  ${row.id.padEnd(idWidth)}`
  const count = row.count.padStart(countWidth)
  if (row.id.length <= idWidth && indent.length + 20 <= width) {
    return wrap(`${head}    ${count}   ${row.text}`, width, indent, indent.length)
  }
  return [head.trimEnd(), ...wrap(`${count}   ${row.text}`, width, '       ').map((l) => l)]
}

/**
 * Parts joined by ` · `, with a new line wherever the next part would not fit. A part that is too long for a line is
 * wrapped.
 */
function joinParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  let current = parts[0] ?? ''
  for (const part of parts.slice(1)) {
    const joined = current === '' ? `  ${part}` : `${current} · ${part}`
    if (joined.length <= width) current = joined
    else {
      if (current !== '') lines.push(current)
      current = `  ${part}`
    }
  }
  lines.push(current)
  return lines.flatMap((l) => (l.length <= width ? [l] : wrap(l, width, '    ')))
}

/** Breaks at spaces from column `from` on; following lines start with `indent`. A word longer than a line is not cut. */
function wrap(text: string, width: number, indent: string, from = 0): string[] {
  const lines: string[] = []
  let rest = from === 0 && !text.startsWith(' ') ? indent + text : text
  let start = Math.max(from, indent.length)
  while (rest.length > width) {
    let cut = rest.lastIndexOf(' ', width)
    if (cut <= start) cut = rest.indexOf(' ', Math.max(width, start + 1))
    if (cut <= start) break
    lines.push(rest.slice(0, cut).trimEnd())
    rest = indent + rest.slice(cut + 1)
    start = indent.length
  }
  return [...lines, rest]
}
