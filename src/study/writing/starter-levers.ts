import type { CleanedColumn } from '../live-schema/cleaned-schema.ts'

/** A column whose shares a starter study changes, and a level of it with two shares to try. */
export interface Shared {
  readonly column: string
  readonly level: string
  readonly low: number
  readonly high: number
}

/** A column of numbers that a starter study restricts, with a range that holds many of the seed's rows. */
export interface Ranged {
  readonly column: string
  readonly min: number
  readonly max: number
}

/** Longer names do not make good examples. */
export const LONGEST_NAME = 60
/** Columns with at most this many levels make good examples. */
const MOST_LEVELS = 12
/** Natural shares of a level that can be lowered and raised. */
const LEAST_SHARE = 0.1
const MOST_SHARE = 0.9
/** By how much a share is lowered and raised. */
const STEP = 0.15

/** Words of columns that nobody would change: how the survey went, who is who, where, and weights. */
const NUISANCE_WORDS = [
  'ids?|uuid|nr|no|num|number|index|row|serial|case|record|lfdnr|folio|numero|nummer|numer',
  'duration|seconds?|minutes?|time|timestamp|timer|start|started|end|date|progress|finished|submission|submitted',
  'dauer|sekunden|minuten|zeit|datum|beginn|duracion|segundos|minutos|fecha|hora|duree|secondes|heure|durata|czas',
  // Columns of survey programs.
  'interviewtime|grouptime|questiontime|datestamp|startdate|enddate|submitdate|recordeddate|lastpage|maxpage|pageno',
  'seed|startlanguage|ipaddr|ipaddress|deviceid|clickcount|missrel|questnnr|dispcode',
  'status|version|attention|check|captcha|interviewer|interviewerin|enumerator|encuestador|entrevistador|enqueteur|respondent',
  'document|phone|ip|zip|postcode|plz|lat(?:itude)?|lon(?:gitude)?|lng',
  'weights?|wgts?|wts?|pondera(?:cio|cion|do)?|poids|peso|gewicht|fnlwgt|strat\\w*|psu|cluster',
]
const NUISANCE = new RegExp(`(?:^|[^a-z])(?:${NUISANCE_WORDS.join('|')})\\d*(?:$|[^a-z])`, 'i')
/** Words of columns that people are described by. */
const DEMOGRAPHIC =
  /(?:^|[^a-z])(?:age|alter|edad|eta|sex|gender|geschlecht|sexo|genero|sesso|region|state|country|land|province|provincia|city|area|urban|education|educ|schooling|degree|bildung|educacion|studies|income|einkommen|ingresos|salary|occupation|job|employment|marital|married|children|household|race|ethnic\w*|religion|party|segment|class|customer|member)\d*(?:$|[^a-z])/i

/** People are described by it, it is an answer, or nobody would change it. */
const [DESCRIBES, ANSWERS, NUISANCES] = [0, 1, 2]

function rankOf(name: string): number {
  const plain = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  return NUISANCE.test(plain) ? NUISANCES : DEMOGRAPHIC.test(plain) ? DESCRIBES : ANSWERS
}

/** Options of a split question and codes are 0 and 1, which make poor examples. */
const isCoded = (levels: readonly string[]): boolean => levels.every((level) => /^[\d.-]+$/.test(level))

/** What a starter study of these columns changes and compares. */
export function starterLevers(columns: readonly CleanedColumn[]): {
  readonly shared: Shared | null
  readonly ranged: Ranged | null
  readonly outcomes: readonly string[]
  /** Column of numbers whose mean is compared; null if there is none. */
  readonly averaged: string | null
} {
  const shared = bestShared(columns)
  const numbers = usefulNumbers(columns)
  const ranged = numbers.find(({ rank }) => rank === DESCRIBES) ?? numbers[0] ?? null
  const averaged = numbers.find(({ rank }) => rank === ANSWERS)?.column ?? ranged?.column ?? null
  return { shared, ranged, outcomes: shared === null ? [] : outcomesOf(columns, shared, ranged), averaged }
}

/** The column that people are best described by, words before codes and few levels before many; null if there is none. */
function bestShared(columns: readonly CleanedColumn[]): Shared | null {
  const fit = columns.flatMap((column) => {
    const { name, levels = [] } = column
    const isFit = levels.length >= 2 && levels.length <= MOST_LEVELS && [name, ...levels].every(isExample)
    const shares = isFit ? sharesToTry(column) : null
    return shares === null
      ? []
      : [{ ...shares, rank: rankOf(name), coded: isCoded(levels) ? 1 : 0, count: levels.length }]
  })
  const [best] = fit.sort((a, b) => a.coded - b.coded || a.rank - b.rank || a.count - b.count)
  return best === undefined ? null : { column: best.column, level: best.level, low: best.low, high: best.high }
}

/** The first level that can be lowered and raised; null if there is none. */
function sharesToTry({ name, levels = [], levelShares }: CleanedColumn): Shared | null {
  const even = 1 / levels.length
  for (const [i, level] of levels.entries()) {
    const share = levelShares === undefined ? even : levelShares[i]
    if (share === null || share === undefined || share < LEAST_SHARE || share > MOST_SHARE) continue
    return { column: name, level, low: rounded(share - STEP), high: rounded(share + STEP) }
  }
  return null
}

const rounded = (share: number): number => Math.min(0.95, Math.max(0.05, Math.round(share * 20) / 20))

/** Columns of numbers that somebody would change, each from its lower to its upper quartile. */
function usefulNumbers(columns: readonly CleanedColumn[]): (Ranged & { readonly rank: number })[] {
  const fit = columns.flatMap((column) => {
    const { name, kind, levels, format } = column
    if (kind !== 'numeric' || levels !== undefined || format !== undefined || !isExample(name)) return []
    const range = middleOf(column)
    return range === null ? [] : [{ column: name, ...range, rank: rankOf(name) }]
  })
  return fit.filter(({ rank }) => rank !== NUISANCES)
}

/** The middle half of the values, or where the service tells no quantiles the lower three quarters of the extent. */
function middleOf({ min, max, quantiles }: CleanedColumn): { min: number; max: number } | null {
  if (!isWritable(min) || !isWritable(max) || max - min < 4 || [min, max].every(isDay)) return null
  const { q25, q75 } = quantiles ?? {}
  if (isWritable(q25) && isWritable(q75) && q25 < q75) return { min: q25, max: q75 }
  if (quantiles !== undefined) return null
  const cut = min + (max - min) * 0.75
  const isWhole = Number.isInteger(min) && Number.isInteger(max)
  return { min, max: isWhole ? Math.ceil(cut) : Number(cut.toPrecision(3)) }
}

const isWritable = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 1e9

/** 20241231: a date that is kept as a number. */
function isDay(value: number): boolean {
  const day = /^(?:1[89]|20)\d{2}(\d{2})(\d{2})$/.exec(String(value))
  return day !== null && Number(day[1]) <= 12 && Number(day[2]) <= 31
}

/** Up to two columns of answers, which no condition of the study sets. */
function outcomesOf(columns: readonly CleanedColumn[], shared: Shared, ranged: Ranged | null): string[] {
  const fit = columns.flatMap(({ name, levels = [] }) => {
    const isFit = levels.length >= 2 && levels.length <= MOST_LEVELS && [name, ...levels].every(isExample)
    return isFit && name !== shared.column && name !== ranged?.column && rankOf(name) !== NUISANCES
      ? [{ name, isAnswer: rankOf(name) === ANSWERS, coded: isCoded(levels) ? 1 : 0 }]
      : []
  })
  const sorted = fit.sort((a, b) => a.coded - b.coded || Number(b.isAnswer) - Number(a.isAnswer))
  return sorted.slice(0, 2).map(({ name }) => name)
}

/** Short, and made of characters that everybody can see and type. */
function isExample(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol} ]+$/u.test(name)
}
