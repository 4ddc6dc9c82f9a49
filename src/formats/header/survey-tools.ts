import { cellOf, isMissing, isValue, type TextRow } from './cell-texts.ts'

/** A header as a survey tool writes it. */
export interface ToolHeader {
  readonly tool: 'Qualtrics' | 'SurveyMonkey'
  readonly rows: number
}

/** Below its names, and below its question texts if there are any, Qualtrics writes how it would import each column. */
const MAX_NAME_ROWS = 3

/** Columns that every Qualtrics export of today has, unless they were left out, and whose values are never words. */
const QUALTRICS_VALUES = new Set(['StartDate', 'EndDate', 'RecordedDate', 'Progress', 'Duration (in seconds)'])
const QUALTRICS_NAMES = new Set([
  ...QUALTRICS_VALUES,
  ...['Status', 'Finished', 'ResponseId', 'DistributionChannel', 'UserLanguage'],
])

/** Columns that SurveyMonkey adds about a respondent, as its exports spell them. The second row is empty in them. */
const SURVEYMONKEY_NAME =
  /^(respondent ?id|collector ?id|start ?date|end ?date|date ?created|date ?modified|ip ?address|email ?address|first ?name|last ?name|custom ?data( ?\d+)?)$/i

/**
 * Recognizes the header rows of a survey tool.
 *
 * @param rows of a file, from the header on.
 */
export function toolHeader(rows: readonly TextRow[]): ToolHeader | null {
  const rowsOfQualtrics = qualtricsRows(rows)
  if (rowsOfQualtrics !== null) return { tool: 'Qualtrics', rows: rowsOfQualtrics }
  return isSurveyMonkey(rows) ? { tool: 'SurveyMonkey', rows: 2 } : null
}

/** Whether a row has Qualtrics' import ids: `{"ImportId":"QID1"}`. */
export function isImportIds(row: TextRow): boolean {
  const filled = row.map((text) => text.trim()).filter((text) => text !== '')
  // Some programs write the quotation marks of a quoted text twice.
  const ids = filled.filter((text) => /^\{"{1,2}ImportId"{1,2}:/.test(text)).length
  return ids > 0 && ids >= 0.9 * filled.length
}

/**
 * Three rows today: names, question texts, import ids. Without the ids (as in a workbook), the words below the columns
 * of dates show the second row. The legacy format has two rows and calls its first columns V1, V2 and so on.
 */
function qualtricsRows(rows: readonly TextRow[]): number | null {
  for (let at = 1; at <= MAX_NAME_ROWS; at++) if (isImportIds(rows[at] ?? [])) return at + 1
  const [names = [], second] = rows
  if (second === undefined) return null
  const isLegacy = cellOf(names, 0) === 'V1' && cellOf(names, 1) === 'V2' && /^Response ?ID$/i.test(cellOf(second, 0))
  if (isLegacy) return 2
  const known = names.filter((name) => QUALTRICS_NAMES.has(name.trim())).length
  const columns = names.flatMap((name, column) => (QUALTRICS_VALUES.has(name.trim()) ? [column] : []))
  const isWords = columns.every((column) => !isMissing(cellOf(second, column)) && !isValue(cellOf(second, column)))
  return known >= 3 && columns.length >= 2 && isWords ? 2 : null
}

/**
 * A question is followed by empty cells above its further options; the second row has the options, or "Response" below
 * a question of one column, which is neither a value nor an answer.
 */
function isSurveyMonkey([questions = [], options = [], ...responses]: readonly TextRow[]): boolean {
  const about = questions.flatMap((text, column) => (SURVEYMONKEY_NAME.test(text.trim()) ? [column] : []))
  const isRespondent = about.some((column) => /^respondent ?id$/i.test(cellOf(questions, column)))
  if (!isRespondent || about.some((column) => cellOf(options, column) !== '')) return false
  const words = options.map((_, column) => cellOf(options, column))
  const isAnswer = words.some((word, column) => {
    const isAlone = cellOf(questions, column) !== '' && cellOf(questions, column + 1) !== ''
    if (word === '' || !isAlone) return false
    const texts = new Set(responses.map((response) => cellOf(response, column)))
    // A ticked box has the text of its option and no other one.
    return isValue(word) || (texts.has(word) && [...texts].some((text) => text !== word && !isMissing(text)))
  })
  return !isAnswer && words.some((word) => word !== '' && !isValue(word))
}

/** SurveyMonkey's words below a question of a single column. */
export function isPlainResponse(text: string): boolean {
  return /^(open[- ]ended )?response$/i.test(text)
}
