import { suggest } from '../diagnostics/did-you-mean.ts'
import type { CleanedColumn } from '../live-schema/cleaned-schema.ts'
import { writtenName } from '../writing/written-name.ts'

/** Columns of a dataset by name, as its lock has them and as they are now. */
export interface BothSchemas {
  readonly locked: ReadonlyMap<string, CleanedColumn>
  readonly live: ReadonlyMap<string, CleanedColumn>
}

/** New names that are compared with one that is gone. */
const MOST_COMPARED = 1_000

/**
 * How to name a column that is gone, where one new column is plainly the same: it alone has the same levels, or most of them, or
 * almost the same name, or one column is gone and one of its kind is new. Null: none is.
 */
export function renameAdvice(name: string, { locked, live }: BothSchemas): string | null {
  const gone = locked.get(name)
  if (gone === undefined) return null
  const isAlike = (column: CleanedColumn) => column.kind === gone.kind && !hasManySources(column, live)
  const added = [...live.values()].filter((column) => !locked.has(column.name) && isAlike(column))
  const lost = [...locked.values()].filter((column) => !live.has(column.name) && column.kind === gone.kind)
  if (added.length === 0 || added.length > MOST_COMPARED) return null
  const likely =
    onlyOf(added.filter((column) => hasSameLevels(gone, column))) ??
    onlyOf(
      suggest(
        name,
        added.map((column) => column.name),
      ).map((likely) => live.get(likely)!),
    ) ??
    onlyOf(
      added.filter(
        (column) =>
          hasMostLevels(gone, column) && lost.every((other) => other === gone || !hasMostLevels(other, column)),
      ),
    ) ??
    (lost.length === 1 && gone.kind === 'numeric' ? onlyOf(added) : null)
  // Items of one battery have the same levels: which of them is which only a name tells.
  const isOne =
    likely !== null && (lost.filter((column) => hasSameLevels(column, likely)).length <= 1 || isNear(name, likely.name))
  if (!isOne) return null
  const { name: now } = likely
  const file = likely.sourceName ?? now
  return `if "${now}" is the same, write in the dataset's entry: columns: { ${writtenName(name)}: ${writtenName(file)} }`
}

/** Levels that one line of advice renames. */
const MOST_RECODED = 6

/**
 * How to keep a level that is gone, where one new level is plainly the same: one level is gone and one is new, or one new
 * level is almost the same word, begins with it, or also says yes or no. Other levels of the column for which this holds are in the same line. Null: none is.
 */
export function recodeAdvice(locked: CleanedColumn, live: CleanedColumn, level: string): string | null {
  if (locked.levels === undefined || live.levels === undefined) return null
  const before = new Set(locked.levels)
  const now = new Set(live.levels)
  const added = live.levels.filter((other) => !before.has(other))
  const gone = locked.levels.filter((other) => !now.has(other))
  if (added.length === 0 || added.length > MOST_COMPARED) return null
  const likelyFor = (lost: string): string | null =>
    (added.length === 1 && gone.length === 1 ? added[0]! : null) ??
    onlyOf(suggest(lost, added)) ??
    onlyOf(added.filter((other) => isAbbreviation(lost, other))) ??
    onlyOf(added.filter((other) => answerOf(lost) !== null && answerOf(lost) === answerOf(other)))
  const likely = likelyFor(level)
  if (likely === null) return null
  // Whoever renames one level usually renames its neighbours too, and one line should bring all of them back.
  const pairs = [level, ...gone.filter((other) => other !== level)].flatMap((lost) => {
    const now = likelyFor(lost)
    return now === null ? [] : [[now, lost] as const]
  })
  const sure = pairs.filter(([now], i) => i === 0 || pairs.filter(([other]) => other === now).length === 1)
  const column = writtenName(live.sourceName ?? live.name)
  const words = sure.slice(0, MOST_RECODED).map(([now, lost]) => `${writtenName(now)}: ${writtenName(lost)}`)
  return `if "${likely}" is the same, write in the dataset's entry: recode: { ${column}: { ${words.join(', ')} } }`
}

/** Words among numbers that may be no answers. */
const MOST_WORDS = 3

/**
 * How to keep the kind of a column that has another one since the lock, where the cause is plain: numbers that were levels, levels
 * that are numbers, or numbers among which a few words stand. Null: none is.
 */
export function kindAdvice(locked: CleanedColumn, live: CleanedColumn): string | null {
  const name = writtenName(live.sourceName ?? live.name)
  const declare = (when: string, line: string) => `if ${when}, write in the dataset's entry: ${line}`
  if (live.kind === 'numeric') {
    const { min, max } = live
    if (locked.levels === undefined || locked.levels.length < 2) return null
    if (typeof min !== 'number' || typeof max !== 'number') return null
    const areCodes = locked.levels.every((level) => isNumber(level) && Number(level) >= min && Number(level) <= max)
    return areCodes ? declare('its numbers are codes, as they were', `types: { ${name}: categorical }`) : null
  }
  // Dates are numbers as well, of which levels are no plain form.
  if (live.levels === undefined || locked.format !== undefined || typeof locked.min === 'string') return null
  const words = live.levels.filter((level) => !isNumber(level))
  if (words.length === 0) return declare('its levels are numbers, as they were', `types: { ${name}: numeric }`)
  if (words.length > MOST_WORDS || words.length === live.levels.length) return null
  const listed = words.map(writtenName).join(', ')
  return declare(
    words.length === 1 ? `"${words[0]!}" is no answer` : 'the words among its numbers are no answers',
    `missing: { ${name}: [${listed}] } and types: { ${name}: numeric }`,
  )
}

const isNumber = (level: string): boolean => /^-?\d+(?:\.\d+)?$/.test(level)

const onlyOf = <T>(items: readonly T[]): T | null => (items.length === 1 ? items[0]! : null)

const isNear = (a: string, b: string): boolean => suggest(a, [b]).length > 0

/** `Y` and `Yes`, either way. */
function isAbbreviation(a: string, b: string): boolean {
  const [short, long] = [a.toLowerCase(), b.toLowerCase()].sort((x, y) => x.length - y.length)
  return short !== '' && long!.startsWith(short!)
}

const YES = new Set(
  'yes,y,true,t,1,checked,selected,ja,oui,vrai,sí,si,sì,sim,verdadero,vero,tak,kyllä,はい,是'.split(','),
)
const NO = new Set('no,n,false,f,0,unchecked,not selected,nein,non,faux,não,falso,nee,nej,nie,ei,いいえ,否'.split(','))

/** What a level says in any of some languages, or as programs code it. */
export function answerOf(level: string): 'yes' | 'no' | null {
  const word = level.trim().toLowerCase()
  return YES.has(word) ? 'yes' : NO.has(word) ? 'no' : null
}

/** A column that cleaning made, with others, of one column of the file. */
function hasManySources(column: CleanedColumn, live: BothSchemas['live']): boolean {
  const { sourceName } = column
  return sourceName !== undefined && [...live.values()].filter((other) => other.sourceName === sourceName).length > 1
}

/** Levels that two columns share by chance are fewer. */
const FEWEST_SHARED = 3
const MOST_SHARED = 0.6

function hasMostLevels({ levels = [] }: CleanedColumn, other: CleanedColumn): boolean {
  const now = new Set(other.levels)
  const shared = levels.filter((level) => now.has(level)).length
  return shared >= FEWEST_SHARED && shared >= MOST_SHARED * Math.max(levels.length, now.size)
}

function hasSameLevels(a: CleanedColumn, b: CleanedColumn): boolean {
  if (b.levels === undefined || b.levels.length < 2) return false
  if (a.hiddenLevels !== undefined)
    return a.hiddenLevels.count === b.levels.length && b.levels.every((level) => a.hiddenLevels!.has(level))
  const levels = new Set(a.levels)
  return levels.size === b.levels.length && b.levels.every((level) => levels.has(level))
}
