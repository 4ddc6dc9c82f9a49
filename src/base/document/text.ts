import { words } from '../language/language.ts'
import { moreText } from '../text/amount-text.ts'

/**
 * A text of a document that has no form yet. Plain strings are our words and figures; parts are what a study, its data or a
 * service says, and words that stand out. Each form escapes both in its own way.
 */
export type Text = string | number | null | undefined | false | Part | readonly Text[]

export type Part = StyledPart | Link

export interface StyledPart {
  readonly part: 'name' | 'code' | 'verbatim' | 'lines' | 'asked' | 'strong' | 'bad' | 'muted' | 'markdown'
  readonly of: Text
}

export interface Link {
  readonly part: 'link'
  readonly of: Text
  /** An address of ours: no text of a study or a service. */
  readonly href: string
}

/** A name from a study or its data, kept apart from the direction of the text around it; code where there is no such thing. */
export const name = (of: string): StyledPart => ({ part: 'name', of })
/** What a reader may copy: a digest, a code, a path. */
export const code = (of: string): StyledPart => ({ part: 'code', of })
/** Code of ours, without a backtick: a field, a pattern, a command. */
export const verbatim = (of: string): StyledPart => ({ part: 'verbatim', of })
/** A message of unknown origin, which may have several lines. */
export const lines = (of: string): StyledPart => ({ part: 'lines', of })
/** The words in which the study says what it asks. */
export const asked = (of: string): StyledPart => ({ part: 'asked', of })
/** What is Markdown already: words with names in them as code. */
export const markdown = (of: string): StyledPart => ({ part: 'markdown', of })
export const strong = (of: Text): StyledPart => ({ part: 'strong', of })
/** What needs action. */
export const bad = (of: Text): StyledPart => ({ part: 'bad', of })
/** Less than the words before it; plain where there is no such thing. */
export const muted = (of: Text): StyledPart => ({ part: 'muted', of })

/** A text from a template. */
export const text = (strings: TemplateStringsArray, ...values: readonly Text[]): Text =>
  strings.flatMap((part, i) => (i === 0 ? [part] : [values[i - 1]!, part]))

/** Texts with something between them. */
export const joined = (texts: readonly Text[], between: string): Text =>
  texts.map((one, i) => (i === 0 ? one : [between, one]))

/** Names with commas between; of more than `most`, the first ones and how many are left. */
export function nameList(names: readonly string[], most = names.length): Text {
  return [joined(names.slice(0, most).map(name), words().figures.comma), moreText(names.length - most)]
}

/** Whether nothing would be shown. */
export function isEmpty(of: Text): boolean {
  if (Array.isArray(of)) return of.every(isEmpty)
  return of === null || of === undefined || of === false || of === ''
}
