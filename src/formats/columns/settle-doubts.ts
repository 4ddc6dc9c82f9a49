import { type ColumnType, orderRemarks, remarked } from './column-type.ts'
import type { DateForm } from './date-forms.ts'

/** What the columns of a file show together. */
interface Evidence {
  readonly decimalComma: boolean
  readonly groupedComma: boolean
  readonly decimalPoint: boolean
  readonly orders: ReadonlySet<string>
}

/**
 * Resolves ambiguous columns by the delimiter and the columns that are clear. Every column comes out as text, boolean,
 * number or time.
 */
export function settleDoubts(types: readonly ColumnType[], delimiter: string): readonly SettledType[] {
  const evidence = evidenceOf(types, delimiter)
  return types.map((type) => {
    switch (type.type) {
      case 'comma-decides':
        return type.readings[evidence.decimalComma || !evidence.groupedComma ? 0 : 1]
      case 'order-decides':
        return settleOrder(type, evidence)
      case 'number':
        return type.couldBeAnswers && evidence.decimalPoint && !evidence.decimalComma ? SEVERAL_ANSWERS : type
      default:
        return type
    }
  })
}

export type SettledType = Exclude<ColumnType, { type: 'comma-decides' | 'order-decides' }>

function evidenceOf(types: readonly ColumnType[], delimiter: string): Evidence {
  const forms = new Set(
    types.flatMap((type) =>
      'form' in type && !('couldBeAnswers' in type && type.couldBeAnswers) ? [type.form.name] : [],
    ),
  )
  return {
    decimalComma: forms.has('decimal-comma') || forms.has('grouped-point'),
    groupedComma: forms.has('grouped-comma') || delimiter === ',',
    decimalPoint: types.some((type) => type.type === 'number' && type.hasPoint),
    orders: forms,
  }
}

const SEVERAL_ANSWERS: SettledType = {
  type: 'text',
  remarks: ['whole numbers joined by commas, which were read as several answers and kept as text'],
}

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
