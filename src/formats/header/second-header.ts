import { cellOf, isMissing, isQuestion, isValue, isYear, type TextRow } from './cell-texts.ts'
import { type ColumnBelow, holdsValues, repeatsLevels } from './columns-below.ts'

/** How sure it is that a row belongs to the header above it. */
export type Certainty = 'certain' | 'possible' | 'none'

/** What a row says about being part of a header. */
interface Evidence {
  /** Columns with content. */
  columns: number
  /** Of these, columns with a name in the header or in the row. */
  named: number
  /** Filled cells of the row. */
  words: number
  questions: number
  /** Questions among the names above. */
  asked: number
  /** Cells that repeat the name above them in other spelling: "StartDate", "Start Date". */
  restated: number
  /** Columns of values. */
  valueColumns: number
  /** Of these, columns in which the row has a text of its own. */
  textOverValues: Set<string>
  /** The same, every column counted. */
  textsOverValues: number
  /** Of these, columns in which the row has a value, or a text that comes again below. */
  valueOverValues: number
  /** Columns of a few levels, and those of them in which the row's text is a level. */
  levelColumns: number
  levels: number
  /** Columns that are empty in the row, have a name, and are (nearly) never empty below. */
  gaps: number
  /** Texts that are all that their column holds: a ticked box has the text of its option. */
  options: number
  /** Of `valueOverValues`, those above columns of ticks: the boxes of "61+", of "3". */
  valueOptions: number
  /** Texts above texts of which none is the same: "Open-Ended Response", "Other (please specify)". */
  strangers: number
  /** Columns of ticks: each has one value, or 0 and 1. */
  ticks: number
  /** Names of the header. */
  names: number
  /** Whether a text names several columns and is a value of none. */
  repeatsWord: boolean
  /** Names of the header that stand above more than one column. */
  groups: number
  /** Whether one of them stands above the first column, where a title would begin. */
  beginsWithGroup: boolean
}

/** Least number of rows below; fewer are too little evidence. */
const MIN_ROWS = 2

/**
 * Finds out whether a row belongs to the header above it, from the kinds of texts alone.
 *
 * A row with a value above a column of values is data, and so is one whose texts come again below. Otherwise a row
 * belongs to the header (1) if header and row complete each other, as a group and its columns do, and two more facts
 * support it; or (2) if it has a text of its own above every column of values, at least three, or questions.
 *
 * @param header names above, by column; empty where there is none.
 * @param below of the rows that follow.
 * @param rows how many rows follow.
 */
export function certaintyOfHeader(
  header: TextRow,
  row: TextRow,
  below: readonly ColumnBelow[],
  rows: number,
): Certainty {
  if (rows === 0) return 'none'
  const found = gather(header, row, below)
  if (found.words === 0 || found.levels > 0) return 'none'
  if (found.valueOverValues > 0) return hasOptionsAlone(found) && rows >= MIN_ROWS ? 'certain' : 'none'
  const certainty = found.groups > 0 ? certaintyOfGroups(found) : certaintyOfLabels(found)
  return certainty === 'certain' && rows < MIN_ROWS ? 'possible' : certainty
}

function certaintyOfGroups(found: Evidence): Certainty {
  if (found.named < 0.9 * found.columns) return 'none'
  if (hasOptionsAlone(found)) return 'certain'
  const supports = [
    found.textOverValues.size > 0,
    found.groups >= 2 && !found.beginsWithGroup,
    found.gaps > 0,
    found.repeatsWord,
    found.asked + found.questions > 0,
    found.levelColumns >= 3,
    // A title is no name above each of several questions.
    found.groups >= 2 && found.groups === found.names && found.ticks === found.columns,
  ].filter((support) => support).length
  if (supports >= 2) return 'certain'
  return supports === 1 ? 'possible' : 'none'
}

/** A person ticks one box of a question, and answers the others; a row with the text of every box alone names them. */
function hasOptionsAlone(found: Evidence): boolean {
  if (found.groups === 0 || found.valueOverValues > found.valueOptions || found.named < 0.9 * found.columns)
    return false
  const options = found.options + found.valueOptions
  const own = options + found.strangers + found.textsOverValues
  const areOptions = own === found.words && own + found.gaps >= found.columns && 2 * found.strangers <= options
  return areOptions && options > 0 && (found.groups >= 2 || (found.gaps > 0 && found.strangers === 0))
}

function certaintyOfLabels(found: Evidence): Certainty {
  const { textOverValues, valueColumns, questions, words } = found
  const overAll = textOverValues.size > valueColumns / 2
  const isQuestions = questions >= Math.max(2, words / 2)
  if (overAll && textOverValues.size >= 3) return 'certain'
  if (isQuestions && (overAll || found.levelColumns >= 3)) return 'certain'
  if (overAll && found.restated >= 2) return 'certain'
  const isPossible = (overAll && textOverValues.size >= 2) || isQuestions || found.levelColumns >= 3
  return isPossible ? 'possible' : 'none'
}

function gather(header: TextRow, row: TextRow, below: readonly ColumnBelow[]): Evidence {
  const found: Evidence = {
    ...{ columns: 0, named: 0, words: 0, questions: 0, asked: 0, restated: 0, valueColumns: 0, valueOverValues: 0 },
    ...{
      levelColumns: 0,
      levels: 0,
      gaps: 0,
      options: 0,
      valueOptions: 0,
      strangers: 0,
      textsOverValues: 0,
      ticks: 0,
      names: 0,
      repeatsWord: false,
      groups: 0,
      textOverValues: new Set(),
      beginsWithGroup: false,
    },
  }
  const words = new Map<string, number>()
  for (const [column, facts] of below.entries()) {
    const name = cellOf(header, column)
    const text = cellOf(row, column)
    if (name === '' && text === '' && facts.filled === 0) continue
    found.columns++
    if (name !== '' || text !== '') found.named++
    if (name !== '') found.names++
    if (areTicks(facts)) found.ticks++
    if (isQuestion(name)) found.asked++
    if (name !== '' && text === '' && facts.filled >= 0.95 * facts.rows) found.gaps++
    if (holdsValues(facts)) found.valueColumns++
    if (isMissing(text)) continue
    found.words++
    if (isQuestion(text)) found.questions++
    words.set(text, (words.get(text) ?? 0) + 1)
    if (isRestated(name, text)) found.restated++
    weigh(found, facts, text)
  }
  const groups = groupColumns(header, row, below)
  found.groups = groups.length
  found.beginsWithGroup = groups[0] === 0
  found.repeatsWord = [...words].some(([word, count]) => count >= 2 && !below.some(({ texts }) => texts.has(word)))
  return found
}

function weigh(found: Evidence, facts: ColumnBelow, text: string): void {
  const comesAgain = facts.texts.has(text)
  if (holdsValues(facts)) {
    // A year above numbers that are no years names their column.
    const isValueHere = isValue(text) && !(isYear(text) && 2 * facts.years < facts.filled)
    if (isValueHere || comesAgain) {
      found.valueOverValues++
      // Of ticks, another text is that of the option: "61+" above 1.
      if (facts.texts.size === 1 || (areTicks(facts) && !comesAgain)) found.valueOptions++
    } else {
      found.textOverValues.add(text)
      found.textsOverValues++
    }
  } else if (comesAgain) {
    // A ticked box has the text of its option, which is the name of its column.
    if (facts.texts.size > 1) found.levels++
    else found.options++
  } else if (repeatsLevels(facts)) {
    found.levelColumns++
  } else if (isValue(text) && facts.filled > 0) {
    found.levels++
  } else if (facts.filled > 0) {
    found.strangers++
  }
}

function areTicks({ filled, texts }: ColumnBelow): boolean {
  return filled > 0 && (texts.size === 1 || [...texts].every((text) => text === '0' || text === '1'))
}

/**
 * First columns of names above several columns: the row has a text below the name, and further texts to the right below
 * empty cells.
 */
function groupColumns(header: TextRow, row: TextRow, below: readonly ColumnBelow[]): number[] {
  const groups: number[] = []
  let open: number | null = null
  for (const [column, facts] of below.entries()) {
    const name = cellOf(header, column)
    const text = cellOf(row, column)
    if (name !== '') {
      open = text === '' ? null : column
    } else if (text !== '' && open !== null) {
      groups.push(open)
      open = null
    } else if (text === '' && facts.filled === 0) {
      // An empty column ends a group.
      open = null
    }
  }
  return groups
}

function isRestated(name: string, text: string): boolean {
  const letters = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return name !== text && letters(name).length >= 2 && letters(name) === letters(text)
}
