import type { DeclaredType, RawColumn, RawTextColumn } from '../../base/raw-table.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import { unitsOf, withoutUnit } from '../../base/text/number-units.ts'
import type { Declarations } from '../../study/declarations.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { writtenName } from '../../study/writing/written-name.ts'
import { type DeclarationKey, type Findings, meant, quoted, rowsText } from './declaration-error.ts'
import { numbersOfTexts } from './number-texts.ts'
import { asTexts, keptOf, ofNumbers, ofTexts } from './raw-values.ts'
import { dateReader, hasShortYears, isoTime } from './read-dates.ts'

type StudyType = NonNullable<Declarations['types']>[string]

/** Texts of a column that a message names. */
const MOST_NAMED = 3

/**
 * The column with its declared type; as it was, with a fault, when its values contradict the type.
 *
 * @param isListed the levels are declared, too, in their order.
 */
export function declareType(column: RawColumn, type: StudyType, isListed: boolean, findings: Findings): RawColumn {
  const declared = converted(column, type, findings)
  if (declared === null) return column
  const text = `${quoted(column.name)} is ${WORDS[type]}${levelsText(declared)}.`
  const isUnsorted = type === 'ordinal' && !isListed && 'codes' in declared && declared.declaredOrder === undefined
  findings.remarks.push({ key: 'types', text: isUnsorted ? `${text} ${UNSORTED}` : text })
  return declared
}

/** Numbers have their own order. */
const UNSORTED = 'Their order is looked for in their words; `levels` states it, in ascending order.'

const WORDS: Readonly<Record<StudyType, string>> = {
  categorical: 'categorical',
  ordinal: 'ordinal',
  numeric: 'numeric',
  datetime: 'a date or a time',
  boolean: 'true or false',
  text: 'text',
}

function levelsText(column: RawColumn): string {
  if ('values' in column) return ''
  return column.declaredType === 'text' ? '' : ` with ${plural(column.distinct, 'level')}`
}

function converted(column: RawColumn, type: StudyType, findings: Findings): RawColumn | null {
  switch (type) {
    case 'categorical':
    case 'ordinal':
    case 'text':
      return marked(asTexts(column), type)
    case 'numeric':
      return numeric(column, findings)
    case 'datetime':
      return datetime(column, findings)
    case 'boolean':
      return boolean(column, findings)
  }
}

function marked<C extends RawColumn>(column: C, type: DeclaredType): C {
  if (type !== 'ordinal' || !('codes' in column)) return { ...column, declaredType: type }
  const order = orderOfNumbers(column.dictionary)
  return { ...column, declaredType: type, ...(order !== null && { declaredOrder: order }) }
}

/** Levels that are numbers have their own order. */
function orderOfNumbers(levels: readonly string[]): string[] | null {
  const { numbers } = numbersOfTexts(levels)
  if (levels.length === 0 || numbers.some(Number.isNaN)) return null
  return [...levels.keys()].sort((a, b) => numbers[a]! - numbers[b]!).map((i) => levels[i]!)
}

function numeric(column: RawColumn, findings: Findings): RawColumn | null {
  if ('values' in column) {
    if (column.type === 'number') return marked(column, 'numeric')
    findings.faults.push({
      key: 'types',
      column: column.name,
      found: 'numeric was declared, and the column holds dates',
      advice: 'write datetime',
    })
    return null
  }
  const unit = commonUnit(column.dictionary)
  const { numbers, remarks } = numbersOfTexts(
    unit === null ? column.dictionary : column.dictionary.map((text) => withoutUnit(text, unit)),
    column.decimalMark,
  )
  const bad = column.dictionary.filter((_, i) => Number.isNaN(numbers[i]))
  if (bad.length > 0) {
    addUnread(column, bad, 'types', 'numeric was declared, and no number is in', findings)
    return null
  }
  if (unit !== null) {
    const text = `${quoted(column.name)} has numbers with the unit ${quoted(unit)}, which was left out.`
    findings.remarks.push({ key: 'types', text })
  }
  for (const remark of remarks) findings.remarks.push({ key: 'types', text: `${quoted(column.name)} has ${remark}.` })
  const values = Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : numbers[code]!))
  return marked(ofNumbers(keptOf(column), 'number', values), 'numeric')
}

/** The unit that all texts have behind their number; null where they have none, or several. Per cent is no unit. */
function commonUnit([first = '', ...others]: readonly string[]): string | null {
  const unit = unitsOf(first)
  if (unit === null || unit.includes(' ') || unit === '%') return null
  return others.every((text) => unitsOf(text) === unit) ? unit : null
}

function datetime(column: RawColumn, findings: Findings): RawColumn | null {
  if ('values' in column && column.type !== 'number') return column
  if ('values' in column) {
    const found = 'datetime was declared, and the column holds numbers'
    const advice = 'write the format of the dates in `dates`, such as YYYY'
    findings.faults.push({ key: 'types', column: column.name, found, advice })
    return null
  }
  return readTimes(column, isoTime, (bad) => {
    const what = 'datetime was declared, and no date in the form 2024-12-31 is in'
    addUnread(column, bad, 'types', what, findings, 'give the format in `dates`, such as DD/MM/YYYY')
  })
}

/** Pairs of words for true and false, in lower case. */
const TRUTHS: ReadonlyMap<string, 'true' | 'false'> = new Map([
  ...['true', 't', 'yes', 'y', '1', 'on'].map((word) => [word, 'true'] as const),
  ...['false', 'f', 'no', 'n', '0', 'off'].map((word) => [word, 'false'] as const),
])

function boolean(column: RawColumn, findings: Findings): RawColumn | null {
  const texts = asTexts(column)
  const bad = texts.dictionary.filter((text) => !TRUTHS.has(text.toLowerCase()))
  if (bad.length > 0) {
    const what = 'boolean was declared, and neither true nor false, yes nor no, 1 nor 0 is in'
    addUnread(texts, bad, 'types', what, findings, 'write categorical')
    return null
  }
  return ofTexts(keptOf(texts), 'boolean', texts.codes.length, (row) => {
    const code = texts.codes[row]!
    return code < 0 ? null : TRUTHS.get(texts.dictionary[code]!.toLowerCase())!
  })
}

/** The column read in a declared format; as it was, with a fault, when a value does not match it. */
export function declareDates(column: RawColumn, format: string, findings: Findings): RawColumn {
  const { name } = column
  const read = dateReader(format)
  if (read === null) {
    const found = `${quoted(format)} is no format of a date`
    const advice = 'write it with YYYY or YY, MM, M or MMM, and DD or D, such as DD/MM/YYYY; times are HH:mm:ss'
    findings.faults.push({ key: 'dates', column: name, found, advice })
    return column
  }
  if ('values' in column && column.type !== 'number') {
    findings.remarks.push({ key: 'dates', text: `${quoted(name)} holds dates already; the format was not needed.` })
    return column
  }
  const texts = asTexts(column)
  const made = readTimes(texts, read, (bad) => {
    addUnread(texts, bad, 'dates', `the format is ${quoted(format)}, which does not match`, findings)
  })
  if (made === null) return column
  const range =
    made.distinct === 0 || findings.dropped.has(name) ? '' : `, from ${dayOf(made.min)} to ${dayOf(made.max)}`
  const century = hasShortYears(format) ? '; years 69 to 99 are 1969 to 1999' : ''
  findings.remarks.push({ key: 'dates', text: `${quoted(name)} was read as ${quoted(format)}${range}${century}.` })
  return made
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const DAY_MS = 86_400_000

function readTimes(
  column: RawTextColumn,
  read: (text: string) => number | null,
  refuse: (bad: readonly string[]) => void,
): Extract<RawColumn, { values: unknown }> | null {
  const times = column.dictionary.map(read)
  const bad = column.dictionary.filter((_, i) => times[i] === null)
  if (bad.length > 0) {
    refuse(bad)
    return null
  }
  const type = times.every((time) => time! % DAY_MS === 0) ? 'date' : 'date-time'
  const values = Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : times[code]!))
  return ofNumbers(keptOf(column), type, values)
}

/** A fault about values that a declaration cannot read: how many, in which rows, and which unless the column is dropped. */
function addUnread(
  column: RawTextColumn,
  bad: readonly string[],
  key: DeclarationKey,
  what: string,
  { faults, dropped }: Findings,
  otherwise?: string,
): void {
  const isBad = new Set(bad)
  const rows: number[] = []
  for (let row = 0; row < column.codes.length; row++) {
    const code = column.codes[row]!
    if (code >= 0 && isBad.has(column.dictionary[code]!)) rows.push(row)
  }
  const isNamed = !dropped.has(column.name)
  const named = isNamed ? `: ${listText(bad.map(quoted), MOST_NAMED)}` : ''
  // As it is quoted in the finding: short, and without characters that a terminal obeys.
  const few = isNamed && bad.length <= MOST_NAMED && bad.every((text) => quoted(text) === JSON.stringify(text))
  const name = /^[A-Za-z][\w.]{0,59}$/.test(column.name) ? column.name : quoted(column.name)
  const codes = few ? `missing: { ${name}: [${bad.map((text) => JSON.stringify(text)).join(', ')}] }` : '`missing`'
  const advice = otherwise ?? `if these mean that there is no answer, declare them: ${codes}`
  faults.push({ key, column: column.name, found: `${what} ${rowsText(rows, 'value')}${named}`, advice })
}

/** A list whose levels no row has, beside values that it lacks: the file may have other words for them. */
function recodeAdvice(name: string, lacking: readonly string[], unused: readonly string[]): string {
  if (unused.length === 0) return ''
  // A spelling is corrected, and needs no other word.
  if (suggest(lacking[0]!, unused).length > 0) return ''
  if (lacking.length > 1) return '; if they are other words for levels of the list, `recode` maps them'
  if (unused.length > 1) return ''
  const [[value], [level]] = [lacking, unused]
  const line = `recode: { ${writtenName(name)}: { ${writtenName(value!)}: ${writtenName(level!)} } }`
  return `; if ${quoted(value!)} is another word for ${quoted(level!)}, write ${line}`
}

/** The column with the order of its levels; as it was, with a fault, when the list lacks a level of the data. */
export function declareLevels(
  column: RawColumn,
  levels: readonly string[],
  type: StudyType | undefined,
  findings: Findings,
): RawColumn {
  const { name } = column
  const { faults, remarks, dropped } = findings
  if (type === 'numeric' || type === 'datetime' || type === 'boolean' || type === 'text') {
    const found = `the column is declared ${type}, which has no levels`
    faults.push({ key: 'levels', column: name, found, advice: 'write ordinal in `types`' })
    return column
  }
  const texts = asTexts(column)
  const listed = new Set(levels)
  const lacking = texts.dictionary.filter((text) => !listed.has(text))
  if (lacking.length > 0) {
    const isNamed = !dropped.has(name)
    const what = isNamed ? `: ${listText(lacking.map(quoted), MOST_NAMED)}` : ''
    const [first = ''] = lacking
    const likely = isNamed ? `, or correct a spelling: ${quoted(first)}, ${meant(first, levels)}` : ''
    const renamed = isNamed
      ? recodeAdvice(
          name,
          lacking,
          levels.filter((level) => !texts.dictionary.includes(level)),
        )
      : ''
    faults.push({
      key: 'levels',
      column: name,
      found: `the list lacks ${plural(lacking.length, 'value')} of the file${what}`,
      advice: `add ${lacking.length === 1 ? 'it' : 'them'}, or declare ${lacking.length === 1 ? 'it' : 'them'} in \`missing\`${likely}${renamed}`,
    })
    return column
  }
  const unused = levels.filter((level) => !texts.dictionary.includes(level))
  const more = unused.length > 0 ? `; no row has ${listText(unused.map(quoted), MOST_NAMED)}` : ''
  const order = levels.length > 20 ? plural(levels.length, 'level') : levels.map(quoted).join(' < ')
  if (type === 'categorical') {
    remarks.push({ key: 'levels', text: `${quoted(name)} has the levels that were listed${more}.` })
    return { ...texts, declaredType: 'categorical' }
  }
  remarks.push({ key: 'levels', text: `${quoted(name)} is ordered: ${order}${more}.` })
  return { ...texts, declaredType: 'ordinal', declaredOrder: [...levels] }
}
