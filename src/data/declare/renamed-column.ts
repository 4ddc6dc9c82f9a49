import type { RawColumn } from '../../base/raw-table.ts'
import type { Declarations } from '../../study/declarations.ts'
import { writtenName } from '../../study/writing/written-name.ts'
import { quoted } from './declaration-error.ts'
import { isDeclaredMissing } from './missing-codes.ts'

/** Values that two columns share by chance are fewer. */
const FEWEST_SHARED = 2
/** Of what is listed: rare levels may be absent from a file. */
const LEAST_SHARED = 0.5

/**
 * How to keep the name of a column that the file has no more, where one column that the study does not name is plainly the same: it
 * alone holds what `levels` or `recode` list for the name, and nothing else. Null: none is, or it fits several names.
 *
 * @param missed the names that the file does not have.
 * @param unnamed columns of the file that no declaration names.
 */
export function renamedColumn(
  name: string,
  missed: ReadonlySet<string>,
  unnamed: readonly RawColumn[],
  declarations: Declarations,
): string | null {
  const [likely, ...others] = unnamed.filter((column) => holdsListed(column, name, declarations))
  if (likely === undefined || others.length > 0) return null
  // Items of one battery have the same levels: which of them is which the values do not tell.
  if ([...missed].some((other) => other !== name && holdsListed(likely, other, declarations))) return null
  const line = `columns: { ${writtenName(name)}: ${writtenName(likely.name)} }`
  return `if ${quoted(likely.name)} is the same, write in the dataset's entry: ${line}`
}

function holdsListed(column: RawColumn, name: string, { levels = {}, recode = {}, missing }: Declarations): boolean {
  const order = Object.hasOwn(levels, name) ? levels[name]! : []
  const words = Object.hasOwn(recode, name) ? recode[name]! : {}
  // What `recode` makes of a value is no value of the file.
  const made = new Set(Object.values(words))
  const listed = new Set([...Object.keys(words), ...order.filter((level) => !made.has(level))])
  const values = valuesOf(column)?.filter((value) => !isDeclaredMissing(missing ?? {}, name, value)) ?? []
  // Without `levels`, values that `recode` does not list may be others.
  const others = order.length > 0 ? values.filter((value) => !listed.has(value) && !made.has(value)) : []
  const shared = values.filter((value) => listed.has(value)).length
  return others.length === 0 && shared >= FEWEST_SHARED && shared >= LEAST_SHARED * listed.size
}

/** The different values as a study would write them; null: dates, or too many. */
function valuesOf(column: RawColumn): readonly string[] | null {
  if ('codes' in column) return column.dictionary
  return column.type === 'number' && column.counts !== null ? [...column.counts.keys()].map(String) : null
}
