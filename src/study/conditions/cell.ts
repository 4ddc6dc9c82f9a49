import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { SHARE_SUM_TOLERANCE } from '../diagnostics/limits.ts'
import { childItems, childNode, type LocatedNode, nameText } from '../yaml/located-node.ts'
import { isNull } from './column-entries.ts'
import type { CellCondition, StatedCell } from './condition.ts'
import type { ConditionKind, ReportFault, SentCells, WrittenCells } from './condition-kind.ts'
import { roundedAdvice, shareSum } from './share.ts'

/** Columns of one table: the table of four holds more combinations than a seed has rows for. */
const FEWEST_COLUMNS = 2
const MOST_COLUMNS = 3

/** Between the columns of a table, and the levels of a cell, where people read them. */
const BETWEEN = ' × '

/** Shares of combinations of levels. */
export const cellKind: ConditionKind<'cell'> = {
  word: 'cells',
  noun: 'cells',
  isOfLevels: true,
  goesWith: ['share', 'cell'],
  settable: [],
  entries(fields) {
    const before = new Map<string, SourceRange>()
    return childItems(fields, 'cells').map((node) => {
      const columns = childItems(node, 'of').map((item) => ({ value: nameText(item), range: item.range }))
      const shares = childNode(node, 'shares')
      const key = JSON.stringify(columns.map(({ value }) => value).sort())
      const place = childNode(node, 'of')?.range ?? node.range
      const written: WrittenCells = {
        ...{ columns, place, rows: shares?.kind === 'list' ? shares.items : [] },
        twin: before.get(key) ?? null,
      }
      before.set(key, place)
      return [key, shares && isNull(shares) ? null : written] as const
    })
  },
  merge: (_below, above) => above,
  paths: () => [[]],
  resolve(_key, { columns, rows, place, twin: other }, report) {
    const names = columns.map(({ value }) => value)
    const condition: CellCondition = {
      kind: 'cell',
      columns: names,
      cells: [],
      place,
      places: columns.map(({ range }) => range),
    }
    if (other !== null) {
      report('S2021', {
        summary: `cells of ${tableName(names)} are stated in two tables`,
        range: place,
        detail: 'put all cells of these columns into one',
        related: [{ message: 'the other one', range: other }],
      })
    }
    const twin = columns.findIndex(({ value }, i) => names.indexOf(value) < i)
    if (twin >= 0) {
      const range = columns[twin]!.range
      report('S2020', { summary: `\`of\` names column "${names[twin]}" twice`, range, detail: 'name each column once' })
    } else if (names.length < FEWEST_COLUMNS || names.length > MOST_COLUMNS) {
      report('S2020', {
        summary: `cells are of ${FEWEST_COLUMNS} or ${MOST_COLUMNS} columns, not of ${names.length}`,
        range: place,
        detail: names.length < FEWEST_COLUMNS ? 'for one column write `shares`' : 'take columns that matter together',
      })
    } else return { ...condition, cells: readCells(condition, rows, report) }
    return condition
  },
  sentIn: ({ cells = [] }) => Object.fromEntries(cells.map((table) => [table.columns.join(BETWEEN), table])),
  texts: (sent) => sent.shares.map(({ levels, share }) => [levels.join(BETWEEN), String(share)]),
  canonical: ({ cells }) => new Map(cells.map(({ levels, share }) => [levels.join(BETWEEN), share])),
  sent: (condition) => ({ cells: [sentTable(condition)] }),
  extensions: () => ['cells'],
  closed: (condition) => condition,
  asSent: (condition) => condition,
  names: ({ columns, cells, places }) => [
    ...columns.map((column, i) => ({ column, level: null, place: places[i]! })),
    ...cells.flatMap(({ levels, places: own }) =>
      levels.map((level, i) => ({ column: columns[i]!, level, place: own[i]! })),
    ),
  ],
}

/** `region × gender`, `North × Female`. */
export const tableName = (names: readonly string[]): string => names.join(BETWEEN)

function readCells(
  { columns, place }: CellCondition,
  rows: readonly LocatedNode[],
  report: ReportFault,
): readonly StatedCell[] {
  const cells = new Map<string, StatedCell>()
  for (const row of rows) {
    const cell = readCell(columns, row, report)
    if (cell === null) continue
    const key = JSON.stringify(cell.levels)
    const twin = cells.get(key)
    if (twin === undefined) cells.set(key, cell)
    else {
      report('S2021', {
        summary: `the cell ${tableName(cell.levels)} of ${tableName(columns)} is stated twice`,
        range: cell.place,
        related: [{ message: 'the other one', range: twin.place }],
      })
    }
  }
  const sum = shareSum(new Map([...cells].map(([key, { share }]) => [key, share])))
  if (sum > 1 + SHARE_SUM_TOLERANCE) {
    report('S2001', {
      summary: `cells of ${tableName(columns)} sum to ${rounded(sum)}, more than 1`,
      range: place,
      detail:
        roundedAdvice(sum) === ''
          ? 'they are parts of all rows; combinations that are not stated take the rest'
          : 'rounded shares seldom add to 1: leave one combination out, and it takes the rest',
    })
  }
  return [...cells.values()]
}

/** Null, with the fault, if it is no list of a level for each column and a share. */
function readCell(columns: readonly string[], row: LocatedNode, report: ReportFault): StatedCell | null {
  const expected = `expected: ${columns.length} levels, of ${columns.join(' and ')}, and a share, such as [${columns.map(() => 'level').join(', ')}, 0.14]`
  const items = row.kind === 'list' ? row.items : []
  if (items.length !== columns.length + 1) {
    report('S2020', {
      summary: `this cell of ${tableName(columns)} has ${items.length} entries`,
      range: items[0] === undefined ? row.range : { ...row.range, end: items.at(-1)!.range.end },
      detail: expected,
    })
    return null
  }
  const last = items.at(-1)!
  if (last.kind !== 'scalar' || typeof last.value !== 'number') {
    report('S2020', {
      summary: `this cell of ${tableName(columns)} ends with "${nameText(last)}", not with a share`,
      range: last.range,
      detail: expected,
    })
    return null
  }
  if (!(last.value >= 0 && last.value <= 1)) {
    report('S2020', {
      summary: `the share of this cell of ${tableName(columns)} is ${last.value}, ${last.value < 0 ? 'less than 0' : 'more than 1'}`,
      range: last.range,
      detail: 'expected: a share between 0 and 1, where 0.14 means 14 %',
    })
    return null
  }
  const levels = items.slice(0, -1)
  return {
    levels: levels.map(nameText),
    share: last.value + 0,
    place: { ...row.range, end: last.range.end },
    places: levels.map(({ range }) => range),
  }
}

/** Columns, and the levels of each cell with them, in one sequence, so that the same table has the same bytes. */
function sentTable({ columns, cells }: CellCondition) {
  const order = [...columns.keys()].sort((a, b) => (columns[a]! < columns[b]! ? -1 : 1))
  const shares = cells.map(({ levels, share }) => ({ levels: order.map((i) => levels[i]!), share }))
  return {
    columns: order.map((i) => columns[i]!),
    shares: shares.sort((a, b) => byText(a.levels, b.levels)),
  } satisfies SentCells & CanonicalValue
}

const byText = (a: CanonicalValue, b: CanonicalValue): number => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)

const rounded = (value: number): number => Number(value.toFixed(10))
