import { countText, listText, moreText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { indented, shortened, textTable, wrapped } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import type { CleaningSummary, TrainingSummary } from '../../client/replies.ts'
import type { AnySchemaColumn, OrderedLevels } from '../../contract/datasets.ts'
import type { InspectedDataset } from '../../runner/datasets/inspect-dataset.ts'
import { nameInList } from '../../study/live-schema/cleaned-schema.ts'
import { levelWithShare, medianText, withinText } from '../../study/live-schema/natural-text.ts'
import { qualityText } from './quality-text.ts'

export interface InspectionOptions {
  /** What the command line named. */
  readonly name: string
  readonly width: number
  /** Ends and quantiles of the file's columns, by their names in it, for its owner; absent: those of the service. */
  readonly exact?: ReadonlyMap<string, Pick<AnySchemaColumn, 'min' | 'max' | 'quantiles'>>
}

/** Characters of a table's line that are neither name nor levels: the indent, the gaps, kind and missing. */
const OTHER_WIDTH = 24
const MOST_NAME_WIDTH = 28
const LEAST_LEVELS_WIDTH = 20

/** A trained dataset for people: its columns, what cleaning did and why, and how good its model is. */
export function inspectionText(
  { dataset, schema: told, declared = [] }: InspectedDataset,
  { name, width, exact }: InspectionOptions,
): string {
  const schema =
    exact === undefined
      ? told
      : told.map((column) =>
          column.levels === undefined ? { ...column, ...exact.get(column.source_name ?? column.name) } : column,
        )
  const { cleaning_summary: cleaning, training_summary: training } = dataset
  const times = [
    training?.trained_at === undefined ? undefined : `trained ${training.trained_at}`,
    dataset.expires_at === undefined ? undefined : `expires ${dataset.expires_at}`,
  ].filter((part) => part !== undefined)
  return [
    wrapped('', [`${name}: dataset ${dataset.dataset_id}`, ...times].join(', '), width),
    ...declaredText(declared, width),
    columnsText(schema, width, exact !== undefined),
    ...labelsText(schema, width),
    ...orderedText(schema, width),
    cleaning === undefined ? 'Cleaning\n  The service does not report it.\n' : cleaningText(cleaning, width),
    ...designText(training, width),
    ...rulesText(training, width),
    ...derivedText(training, width),
    ...relationsText(training, width),
    qualityText(training, width),
  ].join('\n')
}

/** What each declaration of the study did, before the file was sent. */
function declaredText(declared: NonNullable<InspectedDataset['declared']>, width: number): string[] {
  if (declared.length === 0) return []
  const widest = Math.max(...declared.map(({ key }) => key.length))
  const lines = declared.map(({ key, text }) => wrapped(`  ${key.padEnd(widest)}  `, text, width))
  return [`Declared, before the upload\n${lines.join('')}`]
}

function columnsText(schema: readonly AnySchemaColumn[], width: number, isExact: boolean): string {
  const longest = schema.reduce((length, { name }) => Math.max(length, textWidth(name)), 'column'.length)
  const room = Math.max(LEAST_LEVELS_WIDTH, width - Math.min(longest, MOST_NAME_WIDTH) - OTHER_WIDTH)
  const hasShares = schema.some(({ level_shares: shares }) => shares?.some((share) => share !== null))
  const table = textTable(
    [
      { title: 'column', mayShrink: true },
      { title: 'kind' },
      { title: 'missing', align: 'right' },
      { title: hasShares ? 'levels with shares, range' : 'levels, range', mayShrink: true },
    ],
    schema.flatMap((column) => {
      const [values = '', ...further] = valuesOf(column, room)
      return [[column.name, kindOf(column), missingOf(column), values], ...further.map((text) => ['', '', '', text])]
    }),
    width - 2,
  )
  return `${plural(schema.length, 'column')}\n${indented(table)}${roundingText(schema, width, isExact)}`
}

/** A service that tells quantiles protects the rows behind them, as it does for ends. */
function roundingText(schema: readonly AnySchemaColumn[], width: number, isExact: boolean): string {
  if (!schema.some(({ quantiles }) => quantiles !== undefined)) return ''
  const text = isExact
    ? 'Ends and quantiles are those of the file. In studies, locks, manifests and reports they are rounded where fewer than 10 rows share them.'
    : 'Ends and quantiles are rounded where fewer than 10 rows of the file share them.'
  return `\n${wrapped('  ', text, width)}`
}

function kindOf({ type, levels, format, integer }: AnySchemaColumn): string {
  if (levels !== undefined || type === 'categorical') return 'levels'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'time'
  if (type !== 'numeric') return '?'
  return integer === true ? 'whole' : 'number'
}

/**
 * Levels with their shares of the rows; a range, and where most of the values lie, on further lines where one is too short: half a
 * number would be another number.
 */
function valuesOf({ levels, level_shares: shares, min, max, quantiles }: AnySchemaColumn, room: number): string[] {
  if (levels === undefined) {
    if (min === undefined || max === undefined) return []
    return packed([`${min} … ${max}`, medianText(quantiles), withinText(quantiles, ' … ')], room)
  }
  const shown: string[] = []
  const more = moreText(levels.length).length
  let length = 0
  for (const [i, level] of levels.entries()) {
    const text = levelWithShare(level, shares?.[i])
    length += escapeText(text).length + 2
    // After the last level nothing follows.
    if (shown.length > 0 && length + (i === levels.length - 1 ? 0 : more) > room) break
    shown.push(text)
  }
  return [`${shown.join(', ')}${moreText(levels.length - shown.length)}`]
}

/** Parts with commas between them, on as few lines as hold them. */
function packed(parts: readonly string[], room: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (part === '') continue
    if (last !== undefined && textWidth(last) + textWidth(part) + 2 <= room)
      lines[lines.length - 1] = `${last}, ${part}`
    else lines.push(part)
  }
  return lines
}

/** What the columns mean, as the file says it; nothing if it says nothing. */
function labelsText(schema: readonly AnySchemaColumn[], width: number): string[] {
  const lines = schema.flatMap(({ name, label }) =>
    label === undefined ? [] : [wrapped('  ', `${name}: ${label}`, width)],
  )
  return lines.length === 0 ? [] : [`Labels\n${lines.join('')}`]
}

/** Columns with ordered levels, grouped by their order; nothing if there are none. */
function orderedText(schema: readonly AnySchemaColumn[], width: number): string[] {
  const groups = new Map<string, { names: string[]; order: OrderedLevels }>()
  for (const { name, ordered } of schema) {
    if (ordered === undefined) continue
    const key = JSON.stringify([ordered.from, ordered.levels, ordered.apart])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { names: [name], order: ordered })
    else group.names.push(name)
  }
  if (groups.size === 0) return []
  const rows = [...groups.values()].map(({ names: [first = '', ...others], order }) => {
    const more = moreText(others.length)
    return { name: shortened(escapeText(first), MOST_NAME_WIDTH - more.length) + more, order }
  })
  const longest = rows.reduce((length, { name }) => Math.max(length, textWidth(name)), 'column'.length)
  const table = textTable(
    [{ title: 'column' }, { title: 'found in' }, { title: 'order', mayShrink: true }],
    rows.map(({ name, order }) => [name, order.from, orderOf(order, width - longest - ORDER_OTHER_WIDTH)]),
    width - 2,
  )
  return [`Ordered levels\n${indented(table)}`]
}

/** Characters of a line that are neither name nor order: the indent, the gaps, and where the order was found. */
const ORDER_OTHER_WIDTH = 14

/** `Never < Rarely < … < Always, apart: NA`: the first levels as far as there is room, and the last. */
function orderOf({ levels, apart }: OrderedLevels, room: number): string {
  const texts = levels.map(levelInOrder)
  const cut = (first: number) => [...texts.slice(0, first), '…', texts[texts.length - 1]!].join(' < ')
  const lengthOf = (text: string) => [...escapeText(text)].length
  const named = apart.length === 0 ? '' : `, apart: ${apart.map(levelInOrder).join(', ')}`
  const beside = lengthOf(cut(1) + named) <= room || apart.length === 0 ? named : `, ${countText(apart.length)} apart`
  let shown = texts.join(' < ')
  for (let first = texts.length - 2; first > 0 && lengthOf(shown + beside) > room; first--) shown = cut(first)
  return shown + beside
}

/** A level that could be taken for two of them is quoted. */
function levelInOrder(level: string): string {
  const text = nameInList(level)
  return text === level && level.includes('<') ? `"${level}"` : text
}

function missingOf({ missing_share: share }: AnySchemaColumn): string {
  if (share === undefined) return '?'
  return share === 0 ? '' : share < 0.0005 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`
}

function cleaningText(cleaning: CleaningSummary, width: number): string {
  const lines = cleaningLines(cleaning)
  const size = `${countText(cleaning.input_rows)} rows x ${countText(cleaning.input_columns)} columns in the file`
  const left = `${countText(cleaning.clean_rows)} x ${countText(cleaning.clean_columns)} are modelled`
  const table = lines.map(([label, text]) => wrapped(`  ${label.padEnd(9)}`, text, width)).join('')
  return `Cleaning: ${size}, ${left}\n${table}`
}

/** Everything that cleaning did, each with its reason. */
export function cleaningLines(cleaning: CleaningSummary): (readonly [string, string])[] {
  const { dropped_rows: rows, notes_omitted: omitted } = cleaning
  return [
    ...(cleaning.renamed_columns ?? []).map(({ from, to }) => ['renamed', `${from} -> ${to}`] as const),
    ...droppedColumns(cleaning).map(({ name, reason, detail }) => {
      const why = reason.replaceAll('_', ' ')
      return ['dropped', `${name}: ${why}${detail === undefined ? '' : `. ${detail}`}`] as const
    }),
    ...(cleaning.split_columns ?? []).map(({ from, separator, into, ...others }) => {
      const options = into.map(({ name, rows: ticked }) => `${name} (${plural(ticked, 'row')})`).join(', ')
      const rest = (others.other_answers?.length ?? 0) + (others.other_answers_omitted ?? 0)
      const rare = rest === 0 ? '' : `; ${plural(rest, 'rarer answer')} left out`
      return ['split', `${from}, several answers at "${separator}", into ${options}${rare}`] as const
    }),
    ...(cleaning.dropped_levels ?? []).map(({ column, levels, levels_omitted: more = 0, rows: affected }) => {
      const which = levels.length === 0 ? plural(more, 'level') : levels.map(nameInList).join(', ') + moreText(more)
      return ['rare', `${column}: ${which} became missing in ${plural(affected, 'row')}`] as const
    }),
    ...(rows !== undefined && rows.empty > 0 ? [['rows', `${plural(rows.empty, 'empty row')} left out`] as const] : []),
    ...(rows !== undefined && rows.repeated_header > 0
      ? [['rows', `${plural(rows.repeated_header, 'row')} that repeated the header left out`] as const]
      : []),
    ...(cleaning.notes ?? []).map((note) => ['note', note] as const),
    ...(omitted === undefined ? [] : [['note', `${plural(omitted, 'further note')} not listed`] as const]),
  ]
}

/** The columns that were dropped; those of the survey design, which may be hundreds, are one entry. */
function droppedColumns({ dropped_columns: dropped }: CleaningSummary): CleaningSummary['dropped_columns'] {
  const isDesign = ({ reason }: { readonly reason: string }): boolean => reason === 'survey_design'
  const [first, ...others] = dropped.filter(isDesign)
  if (first === undefined || others.length === 0) return dropped
  const names = listText(
    [first, ...others].map(({ name }) => name),
    MOST_DESIGN_COLUMNS,
  )
  return [...dropped.filter((column) => !isDesign(column)), { ...first, name: names }]
}

const MOST_DESIGN_COLUMNS = 3

/** How the rows were drawn, as far as the service says; nothing where the study does not. */
function designText(training: TrainingSummary | undefined, width: number): string[] {
  const { design, design_counts: counts } = training ?? {}
  if (design === undefined || counts === undefined) return []
  const { strata, clusters, replicate_weights: replicates } = design
  const { strata: strataCount, clusters: clusterCount, lonely_strata: lonely } = counts
  const lines = [
    ...(strata === undefined ? [] : [`strata: ${strata}, ${countText(strataCount)}`]),
    ...(clusters === undefined ? [] : [`clusters: ${clusters}, ${countText(clusterCount)}`]),
    ...(replicates === undefined
      ? []
      : [`replicate weights: ${replicates.columns}, ${countText(counts.replicates)}, type ${replicates.type}`]),
    ...(lonely === 0
      ? []
      : [
          `${plural(lonely, 'stratum has', 'strata have')} one cluster and ${lonely === 1 ? 'is' : 'are'} centred at the grand mean, as R survey's "adjust"`,
        ]),
  ]
  return [`Design of the survey, for standard errors\n${lines.map((line) => wrapped('  ', line, width)).join('')}`]
}

/** Rules that the service keeps; those that the seed file says are told with its declarations. */
function rulesText(training: TrainingSummary | undefined, width: number): string[] {
  const rules = training?.rules ?? []
  if (rules.length === 0) return []
  const lines = rules.map(({ rule, gone = [] }) => {
    const but =
      gone.length === 0
        ? ''
        : `: cleaning left out ${listText(gone, MOST_DESIGN_COLUMNS)}, so no generated row can break it`
    return wrapped('  ', `${rule}${but}`, width)
  })
  return [`Rules, kept in generated rows\n${lines.join('')}`]
}

/** Columns that others determine, a formula each; nothing if there are none. */
function derivedText(training: TrainingSummary | undefined, width: number): string[] {
  const derived = training?.derived_columns ?? []
  if (derived.length === 0) return []
  const lines = derived.map(({ column, formula, share }) => {
    const but = share === 1 ? '' : `, in ${(100 * share).toFixed(1)} % of the rows that it applies to`
    return wrapped('  ', `${column} = ${formula}${but}`, width)
  })
  const rest = omittedLine(training?.derived_columns_omitted)
  return [`Columns computed from others, also in generated rows\n${lines.join('')}${rest}`]
}

/** Relations between columns, a line each; nothing if there are none. */
function relationsText(training: TrainingSummary | undefined, width: number): string[] {
  const relations = training?.relations ?? []
  if (relations.length === 0) return []
  const lines = relations.map(({ relation, share }) => {
    const but = share === 1 ? '' : `, in ${(100 * share).toFixed(1)} % of the rows`
    return wrapped('  ', `${relation}${but}`, width)
  })
  const rest = omittedLine(training?.relations_omitted)
  return [`Relations between columns, kept in generated rows\n${lines.join('')}${rest}`]
}

const omittedLine = (omitted = 0): string => (omitted > 0 ? `  and ${countText(omitted)} more\n` : '')
