import { sqlText } from './duckdb-session.ts'
import { NUMBER_FORMS, type NumberForm } from './value-forms.ts'

/** A sign that stands at every number of a column and says what it counts: `12%`, `$1,200`. */
export interface NumberMark {
  readonly kind: 'percent' | 'currency'
  readonly forms: readonly NumberForm[]
  /** What was done with it, to follow "has". */
  readonly remark: string
}

/** In patterns: signs of currencies and their codes, alone or before `$`. */
const CURRENCY = String.raw`(?:[A-Z]{0,3}\$|[€£¥₹₩₽₺₴₪฿]|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|zł|kr|Kč|Ft)`
const BEFORE = new RegExp(`^[+-]? ?(${CURRENCY}) ?[+-]?[\\d.,]`)
const AFTER = new RegExp(`[\\d.,][ \u00a0]?(%|${CURRENCY})$`)

/** The mark of a number, as its first value has it; null where there is none. */
export function markOf(value: string): NumberMark | null {
  const before = BEFORE.exec(value)?.[1]
  if (before !== undefined) return currency(before, (form) => prefixed(form, before))
  const after = AFTER.exec(value)?.[1]
  if (after === '%') {
    return {
      kind: 'percent',
      forms: NUMBER_FORMS.map((form) => suffixed(form, '%')),
      remark: 'percentages, which were read as numbers ("12%" as 12)',
    }
  }
  return after === undefined ? null : currency(after, (form) => suffixed(form, after))
}

function currency(sign: string, marked: (form: NumberForm) => NumberForm): NumberMark {
  return {
    kind: 'currency',
    forms: NUMBER_FORMS.map(marked),
    remark: `amounts in "${sign}", which were read as numbers`,
  }
}

function prefixed(form: NumberForm, sign: string): NumberForm {
  const escaped = literal(sign)
  return {
    name: form.name,
    pattern: form.pattern.replace('^[+-]?', () => `^[+-]? ?${escaped} ?[+-]?`),
    plainText: (v) => form.plainText(`regexp_replace(${v}, ${sqlText(`^([+-]?) ?${escaped} ?`)}, '\\1')`),
  }
}

function suffixed(form: NumberForm, sign: string): NumberForm {
  const end = `[ \u00a0]?${literal(sign)}$`
  return {
    name: form.name,
    pattern: form.pattern.replace(/\$$/, () => end),
    plainText: (v) => form.plainText(`regexp_replace(${v}, ${sqlText(end)}, '')`),
  }
}

function literal(sign: string): string {
  return sign.replaceAll('$', '\\$')
}
