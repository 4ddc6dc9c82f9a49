import { Slices } from '../../base/event-loop-turns.ts'
import type { RawColumn, RawTable } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { type Declarations, scoreName } from '../../study/declarations.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import {
  DeclarationError,
  type DeclarationKey,
  type DeclarationRemark,
  type Findings,
  meant,
  quoted,
  rowsText,
} from './declaration-error.ts'
import { declareDates, declareLevels, declareType } from './declared-types.ts'
import { fillDown } from './fill-down.ts'
import { withMadeColumns } from './made-columns.ts'
import { MissingCodes } from './missing-codes.ts'
import { rowsOf } from './raw-values.ts'
import { recodeValues } from './recode-values.ts'
import { StudyNames } from './rename-columns.ts'
import { renamedColumn } from './renamed-column.ts'
import { boundRules } from './rules.ts'
import { separateAnswers } from './several-answers.ts'
import { withDesign } from './survey-design.ts'

/** A table as the study declares it, and what each declaration did. */
export interface DeclaredTable {
  readonly table: RawTable
  /** In the sequence of the keys in the documentation of the study. */
  readonly remarks: readonly DeclarationRemark[]
}

/**
 * Carries out the declarations of a study: codes become missing, columns get their types, orders and bands, and dropped
 * columns go. Every column that a declaration names must be in the table. Other work gets its turn between two columns.
 *
 * @param table all rows of the file: `sampleRows` is `rowCount`.
 * @throws {DeclarationError} with all contradictions between the declarations and the data; and the signal's reason.
 */
export async function applyDeclarations(
  table: RawTable,
  declarations: Declarations,
  signal?: AbortSignal,
): Promise<DeclaredTable> {
  if (table.sampleRows !== table.rowCount) throw new RangeError('declarations need all rows of the file')
  const findings: Findings = { remarks: [], faults: [], dropped: new Set(declarations.drop ?? []) }
  const names = new StudyNames(declarations.columns)
  const named = names.rename(table)
  findUnknown(declarations, named, findings)
  // Later steps look for the columns that this one missed.
  if (findings.faults.length > 0) throw new DeclarationError(findings.faults)

  const known = new Set(named.columns.map(({ name }) => name))
  const codes = new MissingCodes(declarations.missing ?? {}, findings.dropped)
  const slices = new Slices()
  const declared: RawColumn[] = []
  const isFilled = new Set(declarations.fillDown ?? [])
  for (const written of named.columns) {
    const column = isFilled.has(written.name) ? fillDown(written, findings) : written
    const keepsTexts = isReadAsTexts(column.name, declarations)
    const words = own(declarations.recode, column.name)
    const separator = own(declarations.multiple, column.name)
    const terms = { keepsTexts, separator: separator ?? null }
    const recoded = words === undefined ? column : recodeValues(column, words, terms, findings)
    const withoutCodes = codes.remove(recoded, keepsTexts)
    if (separator === undefined) declared.push(declareColumn(withoutCodes, declarations, findings))
    else declared.push(...separateAnswers(withoutCodes, separator, known, findings))
    await slices.next()
    signal?.throwIfAborted()
  }
  codes.report(findings)
  let columns = withMadeColumns(declared, declarations, findings)
  const rules = await boundRules(columns, declarations.rules ?? [], findings, signal)
  checkWeight(columns, declarations, findings)
  columns = [...withDesign(columns, declarations, findings)]
  columns = columns.filter(({ name }) => !findings.dropped.has(name))
  reportDrops(declarations, findings)
  reportNames(declarations, findings)
  if (columns.length === 0) {
    const name = declarations.drop?.[0] ?? ''
    findings.faults.push({ key: 'drop', column: name, found: 'no column is left', advice: 'keep at least one' })
  }
  if (findings.faults.length > 0) throw new DeclarationError(findings.faults)
  const remarks = [...findings.remarks].sort((a, b) => SEQUENCE.indexOf(a.key) - SEQUENCE.indexOf(b.key))
  return { table: { ...named, columns, ...(rules.length > 0 && { rules }) }, remarks }
}

const SEQUENCE: readonly DeclarationRemark['key'][] = [
  'sheet',
  'header_rows',
  'encoding',
  'weight',
  'design',
  'drop',
  'columns',
  'recode',
  'missing',
  'types',
  'levels',
  'bands',
  'nets',
  'nps',
  'scores',
  'differences',
  'rules',
  'decimal',
  'multiple',
  'fill_down',
  'dates',
]

/** Every name of a column in the declarations, with its key. */
function* namesIn(declarations: Declarations): Generator<readonly [DeclarationKey, string]> {
  const { weight, design, drop, recode, missing, types, levels, bands, nets, nps } = declarations
  const { scores, differences } = declarations
  const { decimal, multiple, fillDown, dates } = declarations
  if (weight !== undefined) yield ['weight', weight]
  for (const name of [design?.strata, design?.clusters]) if (name !== undefined) yield ['design', name]
  for (const name of drop ?? []) yield ['drop', name]
  for (const name of Object.keys(recode ?? {})) yield ['recode', name]
  for (const name of Object.keys(missing ?? {})) if (name !== '*') yield ['missing', name]
  for (const name of Object.keys(types ?? {})) yield ['types', name]
  for (const name of Object.keys(levels ?? {})) yield ['levels', name]
  const isMade = (name: string): boolean => [scores, differences].some((made) => own<unknown>(made, name) !== undefined)
  for (const { of } of Object.values(bands ?? {})) if (!isMade(of)) yield ['bands', of]
  for (const net of Object.values(nets ?? {})) yield ['nets', net.of]
  for (const name of nps ?? []) yield ['nps', name]
  for (const { mean } of Object.values(scores ?? {})) for (const name of mean) yield ['scores', name]
  for (const of of Object.values(differences ?? {})) for (const name of of) yield ['differences', name]
  for (const name of typeof decimal === 'object' ? Object.keys(decimal) : []) yield ['decimal', name]
  for (const name of Object.keys(multiple ?? {})) yield ['multiple', name]
  for (const name of fillDown ?? []) yield ['fill_down', name]
  for (const name of Object.keys(dates ?? {})) yield ['dates', name]
}

/** @param table under the study's names. */
function findUnknown(declarations: Declarations, { columns, sheet }: RawTable, { faults }: Findings): void {
  const known = new Set(columns.map(({ name }) => name))
  const names = new StudyNames(declarations.columns)
  const place = sheet === undefined ? 'the file' : `sheet ${quoted(sheet.name)}`
  const written = [...namesIn(declarations)]
  const missed = new Set(written.map(([, column]) => column).filter((column) => !known.has(column)))
  const declared = new Set([...written.map(([, column]) => column), ...Object.keys(declarations.columns ?? {})])
  const unnamed = columns.filter(({ name }) => !declared.has(name))
  const adviceFor = (column: string): string => {
    const isMisspelt = suggest(column, known).length > 0
    return (isMisspelt ? null : renamedColumn(column, missed, unnamed, declarations)) ?? meant(column, known)
  }
  for (const [key, column] of written) {
    if (known.has(column)) continue
    const name = names.writtenFor(column)
    if (name === null) faults.push({ key, column, found: `${place} has no such column`, advice: adviceFor(column) })
    else faults.push({ key, column, found: `\`columns\` names it ${quoted(name)}`, advice: 'write that name here' })
  }
  const taken = (key: DeclarationKey, name: string, advice: string): void => {
    if (known.has(name)) faults.push({ key, column: name, found: `${place} has a column of this name already`, advice })
  }
  const { bands = {}, nets = {}, nps = [], scores = {}, differences = {} } = declarations
  for (const name of Object.keys(bands)) taken('bands', name, `name the bands ${quoted(`${name}.band`)}`)
  for (const name of Object.keys(nets)) taken('nets', name, `name the net ${quoted(`${name}.net`)}`)
  for (const name of Object.keys(scores)) taken('scores', name, `name the score ${quoted(`${name}.score`)}`)
  for (const name of Object.keys(differences))
    taken('differences', name, `name the difference ${quoted(`${name}.difference`)}`)
  for (const name of nps) taken('nps', scoreName(name), 'give that column another name under `columns`')
}

/** The entry of a column, which may have the name of something that every object has. */
function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** Whether a later declaration decides what the texts of a column are. */
function isReadAsTexts(name: string, { types, levels, multiple, dates }: Declarations): boolean {
  return [types, levels, multiple, dates].some((declared) => own<unknown>(declared, name) !== undefined)
}

function declareColumn(column: RawColumn, declarations: Declarations, findings: Findings): RawColumn {
  const { name } = column
  const format = own(declarations.dates, name)
  const type = own(declarations.types, name)
  const order = own(declarations.levels, name)
  let declared = format === undefined ? column : declareDates(column, format, findings)
  if (type !== undefined) declared = declareType(declared, type, order !== undefined, findings)
  if (order !== undefined) declared = declareLevels(declared, order, type, findings)
  return declared
}

function checkWeight(columns: readonly RawColumn[], { weight }: Declarations, findings: Findings): void {
  const column = columns.find(({ name }) => name === weight)
  if (weight === undefined || column === undefined) return
  const fault = (found: string, advice: string | null): void => {
    findings.faults.push({ key: 'weight', column: weight, found, advice })
  }
  if (findings.dropped.has(weight)) return fault('the study drops the column', 'take it out of `drop`')
  if (!('values' in column) || column.type !== 'number') {
    const other = 'codes' in column ? column.dictionary.find((text) => Number.isNaN(Number(text))) : undefined
    const texts = other === undefined ? '' : `, such as ${quoted(other)}`
    const advice = 'correct them in the file; 0 leaves a row out'
    return fault(`a weight is a number, and the column holds other values${texts}`, advice)
  }
  const negative: number[] = []
  const missing: number[] = []
  let sum = 0
  for (let row = 0; row < rowsOf(column); row++) {
    if (column.valid[row] === 0) {
      missing.push(row)
      continue
    }
    sum += column.values[row]!
    if (column.values[row]! < 0) negative.push(row)
  }
  // A service refuses such a file, but only after it was sent.
  if (missing.length > 0)
    return fault(`no weight is in ${rowsText(missing, 'row')}`, 'write 0 for rows that count for nobody')
  if (negative.length > 0) return fault(`a weight is not negative: ${rowsText(negative, 'value')}`, null)
  if (sum === 0) return fault('no row has a weight above 0', null)
  findings.remarks.push({
    key: 'weight',
    text: `Column ${quoted(weight)} weights the rows, from ${short(column.min)} to ${short(column.max)}, ${short(sum / rowsOf(column))} on average.`,
  })
}

function reportNames({ columns = {} }: Declarations, { remarks, dropped }: Findings): void {
  const named = Object.entries(columns).filter(([name]) => !dropped.has(name))
  if (named.length === 0) return
  const texts = named.map(([name, inFile]) => `${quoted(name)} is ${quoted(inFile)} in the file`)
  remarks.push({ key: 'columns', text: `${listText(texts, 20)}.` })
}

const short = (value: number): string => String(Number(value.toPrecision(3)))

function reportDrops({ drop = [] }: Declarations, { remarks }: Findings): void {
  if (drop.length === 0) return
  remarks.push({ key: 'drop', text: `Not sent: ${listText(drop.map(quoted), 20)}.` })
}
