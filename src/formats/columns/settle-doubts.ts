import {
  type ColumnType,
  DECIMAL_COMMAS,
  type MarkDecides,
  type NumberType,
  orderRemarks,
  remarked,
  severalAnswers,
} from './column-type.ts'
import type { DateForm } from './date-forms.ts'

type DecimalMark = ',' | '.'

/** What the columns of a file show together. */
interface Evidence {
  readonly decimalComma: boolean
  readonly decimalPoint: boolean
  /** A file whose columns are separated by commas seldom has decimal ones. */
  readonly commaSeparates: boolean
  readonly orders: ReadonlySet<string>
  /** The codes of each column of lists such as `1,2,3`. */
  readonly lists: readonly ReadonlySet<string>[]
}

/**
 * Resolves ambiguous columns by the delimiter and the columns that are clear. Every column comes out as text, boolean,
 * number or time.
 *
 * @param declared the decimal mark of each column, where one is declared.
 */
export function settleDoubts(
  types: readonly ColumnType[],
  delimiter: string,
  declared: readonly (DecimalMark | undefined)[] = [],
): readonly SettledType[] {
  const evidence = evidenceOf(types, delimiter)
  return types.map((type, i) => {
    const mark = declared[i]
    switch (type.type) {
      case 'mark-decides':
        return mark === undefined ? settleMark(type, evidence) : type.readings[mark === type.mark ? 0 : 1]
      case 'order-decides':
        return settleOrder(type, evidence)
      case 'number':
        return mark === undefined ? settleNumber(type, evidence) : asDeclared(type, mark)
      default:
        return type
    }
  })
}

/** The decimal mark that the columns of a file show together; null where they show none, or both. */
export function decimalMarkOf(types: readonly ColumnType[]): DecimalMark | null {
  const { decimalComma, decimalPoint } = evidenceOf(types, '')
  return decimalComma === decimalPoint ? null : decimalComma ? ',' : '.'
}

export type SettledType = Exclude<ColumnType, { type: 'mark-decides' | 'order-decides' }>

function evidenceOf(types: readonly ColumnType[], delimiter: string): Evidence {
  const clear = types.filter((type) => !('couldBeAnswers' in type && type.couldBeAnswers))
  const marks = clear.map((type) => (type.type === 'number' ? type.decimalMark : null))
  // Numbers beside a few words count where no other column shows a mark.
  const shown = marks.some((mark) => mark !== null)
  const decimals = new Set(shown ? marks : clear.map((type) => (type.type === 'text' ? type.decimalMark : null)))
  return {
    decimalComma: decimals.has(','),
    decimalPoint: decimals.has('.'),
    commaSeparates: delimiter === ',',
    lists: types.flatMap((type) => (type.type === 'text' && type.codes !== undefined ? [type.codes] : [])),
    orders: new Set(clear.flatMap((type) => (type.type === 'time' ? [type.form.name] : []))),
  }
}

function settleMark({ mark, readings, likely, couldBeAnswers }: MarkDecides, evidence: Evidence): SettledType {
  const [decimals] = readings
  const thousands = couldBeAnswers ? severalAnswers('commas') : readings[1]
  const { decimalComma, decimalPoint, commaSeparates } = evidence
  if (decimalComma !== decimalPoint) {
    const marksDecimals = decimalComma === (mark === ',')
    if (!marksDecimals) return thousands
    return likely === 'thousands' ? doubted(decimals, MISPLACED[mark]) : decimals
  }
  if (likely === 'thousands' || couldBeAnswers) return thousands
  if (mark === ',' && commaSeparates && !decimalComma) return thousands
  return doubted(decimals, UNDECIDED[mark])
}

/** @param doubt also says what the form says of the mark. */
function doubted(type: NumberType, doubt: string): NumberType {
  return { ...type, remarks: [...type.remarks.filter((remark) => remark !== DECIMAL_COMMAS), doubt] }
}

const UNDECIDED = {
  '.': 'points, each before three digits, which were read as decimal points; where they separate thousands, declare `decimal: ","`',
  ',': 'commas, each before three digits, which were read as decimal commas; where they separate thousands, declare `decimal: "."`',
} as const

const ANSWERS_OR_DECIMALS =
  'commas between numbers that also stand alone, which were read as decimal commas; where they join several answers, name the separator under "multiple"'

const MISPLACED = {
  '.': 'points, each before three digits, which were read as decimal points as in other columns',
  ',': 'commas, each before three digits, which were read as decimal commas as in other columns',
} as const

function settleNumber(type: NumberType, { decimalComma, decimalPoint, lists }: Evidence): SettledType {
  if (type.couldBeAnswers && !decimalComma) {
    const { codes } = type
    const isListed = codes !== undefined && lists.some((list) => [...codes].every((code) => list.has(code)))
    if (decimalPoint || isListed) return severalAnswers('commas')
    if (codes !== undefined) return doubted(type, ANSWERS_OR_DECIMALS)
  }
  const isOdd = type.form.name === 'standard' && type.decimalMark === '.' && decimalComma
  return isOdd ? { ...type, remarks: [...type.remarks, ODD_POINTS] } : type
}

function asDeclared(type: NumberType, mark: DecimalMark): NumberType {
  const { decimalMark } = type
  if (decimalMark === null || decimalMark === mark) return type
  const signs = decimalMark === '.' ? 'decimal points' : 'decimal commas'
  return { ...type, remarks: [...type.remarks, `${signs}, although "${mark}" is declared to be the decimal mark`] }
}

const ODD_POINTS = 'decimal points, although other columns have decimal commas'

function settleOrder(
  { readings, remarks }: Extract<ColumnType, { type: 'order-decides' }>,
  { orders }: Evidence,
): SettledType {
  const likely = readings.filter(({ name }) => orders.has(name))
  const form: DateForm | undefined = likely[0]
  if (form === undefined || likely.length > 1) return unsettled(readings)
  const [order, ...others] = orderRemarks(form)
  return {
    type: 'time',
    form,
    remarks: [...(order === undefined ? [] : [`${order}, as in other columns`]), ...others, ...remarks],
  }
}

function unsettled(readings: readonly DateForm[]): SettledType {
  if (readings.length === 0) {
    return remarked('dates of which some are day first and others month first, which were kept as text')
  }
  const places = readings.some(({ name }) => name === 'short-year-first')
    ? 'begin with the year or with the day or month'
    : 'be day first or month first'
  return remarked(
    `dates that could ${places}, which were kept as text; write them as 2024-12-31, or declare their form under "dates" in the study`,
  )
}
