/** Boxes: columns of ticks, one for each option of a question. */

import type { RawColumn, RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'

/** Between the rows of a header, where a reader joins them. */
const JOINT = ' / '

/** What a header of two rows says above a column; null: it has one row. */
export function questionOf({ name }: RawColumn): string | null {
  const at = name.lastIndexOf(JOINT)
  return at <= 0 ? null : name.slice(0, at)
}

/** The last part of the header of such a column. */
export function optionOf({ name }: RawColumn): string {
  return name.slice(name.lastIndexOf(JOINT) + JOINT.length)
}

/** 1 for a tick and 0 for none. */
export function isBox(column: RawColumn): column is RawNumberColumn {
  if (column.type !== 'number' || column.declaredType !== undefined) return false
  return (
    column.decimals === 0 &&
    column.counts !== null &&
    [...column.counts.keys()].every((value) => value === 0 || value === 1)
  )
}

/** The ticks of a box, also of one of true and false. */
export interface Ticks {
  /** Rows of the file with a tick. */
  readonly count: number
  /** Of a row held; null: it has no value. */
  readonly at: (row: number) => boolean | null
}

/** Words of a tick and of none, as survey programs write them in some languages. */
const TICKED = new Set(
  `yes,true,checked,ticked,selected,chosen,mentioned,quoted,x,ja,genannt,ausgewählt,gewählt,angekreuzt,oui,coché,sélectionné,cité,
  sí,si,sì,sim,marcado,seleccionado,mencionado,selezionato,citato,selecionado,aangevinkt,genoemd,tak,zaznaczono,wybrano,はい,是`
    .split(',')
    .map((word) => word.trim()),
)
const UNTICKED = new Set(
  `no,false,unchecked,not checked,unticked,not ticked,not selected,unselected,not chosen,not mentioned,not quoted,
  nein,nicht genannt,nicht ausgewählt,nicht gewählt,nicht angekreuzt,non,non coché,non sélectionné,non cité,
  no marcado,no seleccionado,no mencionado,non selezionato,non citato,não,não marcado,não selecionado,
  nee,niet aangevinkt,niet genoemd,nie,nie zaznaczono,nie wybrano,nej,いいえ,否`
    .split(',')
    .map((word) => word.trim()),
)

/** Null: the column is no box, not even one of words. */
export function ticksOf(column: RawColumn): Ticks | null {
  if (column.declaredType !== undefined) return null
  if ('codes' in column) {
    const at = tickedLevel(column)
    if (at === null) return null
    const { codes, counts } = column
    return { count: counts[at] ?? 0, at: (row) => (codes[row]! < 0 ? null : codes[row] === at) }
  }
  const tick = isBox(column) ? 1 : signedTick(column)
  if (tick === null) return null
  const { values, valid, counts } = column
  return { count: counts!.get(tick) ?? 0, at: (row) => (valid[row] === 0 ? null : values[row] === tick) }
}

/** The index of the level that says that the box is ticked, -1 where no row has it; null: the levels say something else. */
function tickedLevel({ type, dictionary }: RawTextColumn): number | null {
  if (type === 'boolean') return dictionary.indexOf('true')
  if (dictionary.length !== 2) return null
  const words = dictionary.map((text) => text.toLowerCase())
  const at = words.findIndex((word) => TICKED.has(word))
  return at >= 0 && UNTICKED.has(words[1 - at]!) ? at : null
}

/** 1 beside -1, and -1 beside 0 as databases write it; null: the numbers are no ticks. */
function signedTick({ type, decimals, counts, distinct, min, max }: RawNumberColumn): 1 | -1 | null {
  if (type !== 'number' || decimals > 0 || counts === null || distinct !== 2 || min !== -1) return null
  return max === 1 ? 1 : max === 0 ? -1 : null
}

/** A tick where a text is written; null: the column has no texts of its own. */
export function writtenTicks(column: RawColumn): Ticks | null {
  if (!('codes' in column) || column.type !== 'text' || column.declaredType !== undefined) return null
  const { codes, counts } = column
  return { count: counts.reduce((sum, rows) => sum + rows, 0), at: (row) => codes[row]! >= 0 }
}
