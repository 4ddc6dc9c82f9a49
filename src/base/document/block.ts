import type { Markup } from './markup.ts'
import type { Text } from './text.ts'

/** A part of a document with a heading and, on a page, a place in its table of contents. */
export interface Section {
  /** Lower-case letters and hyphens; also the fragment of its address. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** What a document is made of. Markup is what only a page has. */
export type Block = Heading | Paragraph | Alerts | List | Terms | Table | Fold | Figure | Code | Markup | null | false

interface Placed {
  /** The form that alone shows it; absent: both have it. `text` is Markdown. */
  readonly only?: 'page' | 'text'
}

export interface Heading extends Placed {
  readonly kind: 'heading'
  readonly text: Text
}

export interface Paragraph extends Placed {
  readonly kind: 'paragraph'
  readonly text: Text
  readonly tone?: 'note' | 'bad' | 'lead' | 'cite'
}

/** What a reader must know before the figures. */
export interface Alerts extends Placed {
  readonly kind: 'alerts'
  readonly items: readonly Alert[]
}

export interface Alert {
  readonly tone: 'bad' | 'warn'
  readonly text: Text
}

export interface List extends Placed {
  readonly kind: 'list'
  readonly items: readonly Text[]
  /** Steps: numbered. */
  readonly isOrdered?: true
}

/** Terms with what is said of each; one with an empty text is left out. */
export interface Terms extends Placed {
  readonly kind: 'terms'
  readonly entries: readonly (readonly [term: Text, text: Text])[]
}

/** A table. One without rows is left out. */
export interface Table extends Placed {
  readonly kind: 'table'
  /** It is read aloud, and stands above the table where nothing else says what it is. */
  readonly title: Text
  /** The first column names the rows. Others hold numbers unless they are `worded`. */
  readonly columns: readonly (Text | WordedColumn)[]
  readonly rows: readonly Row[]
  /** Rows that a page shows, and what it calls the others: `further rules stand in the manifest`. */
  readonly most?: { readonly rows: number; readonly others: string }
  readonly notes?: readonly Block[]
  /** A heading right before it says what it is. */
  readonly isBare?: true
  /** Its columns are sentences: on a narrow page, where they have no room, a row becomes a paragraph of labelled cells. */
  readonly stacks?: true
}

export interface WordedColumn {
  readonly words: Text
}

/** Cells; or a heading for the rows after it; or cells that stand out. */
export type Row = readonly Text[] | { readonly heading: Text } | { readonly outstanding: readonly Text[] }

/** A column of words or names. */
export const worded = (words: Text): WordedColumn => ({ words })

/** Blocks that a page folds; Markdown shows them. */
export interface Fold extends Placed {
  readonly kind: 'fold'
  readonly title: Text
  readonly blocks: readonly Block[]
  /** `figures`: the figures of a picture, `long`: stays folded in print. */
  readonly look?: 'figures' | 'long' | 'figures long'
}

/** A picture with what it shows in words, and its figures as a table. Markdown has the words and the table. */
export interface Figure extends Placed {
  readonly kind: 'figure'
  readonly id: string
  /** One sentence that says what the picture shows. It is read aloud in place of the picture. */
  readonly caption: Text
  /** An `svg` element with a `viewBox` and without width and height. It is drawn when a page is made. */
  readonly picture: () => Markup
  readonly table: Table
}

/** Lines to copy, such as a command. */
export interface Code extends Placed {
  readonly kind: 'code'
  readonly language: string
  readonly code: string
}

export const heading = (text: Text): Heading => ({ kind: 'heading', text })
export const paragraph = (text: Text, tone?: Paragraph['tone']): Paragraph => ({
  kind: 'paragraph',
  text,
  ...(tone && { tone }),
})
export const note = (text: Text): Paragraph => paragraph(text, 'note')
export const table = (
  title: Text,
  columns: Table['columns'],
  rows: readonly Row[],
  more: Partial<Table> = {},
): Table => ({
  kind: 'table',
  title,
  columns,
  rows,
  ...more,
})
/** For the form that alone shows it. */
export const only = <B extends Placed>(form: 'page' | 'text', block: B): B => ({ ...block, only: form })
export const figure = (of: Omit<Figure, 'kind'>): Figure => ({ kind: 'figure', ...of })
export const fold = (title: Text, blocks: readonly Block[], look?: Fold['look']): Fold => ({
  kind: 'fold',
  title,
  blocks,
  ...(look && { look }),
})
