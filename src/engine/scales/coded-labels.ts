/** Labels with their code: "1 - Never", "5 = Strongly agree", "Never (1)", "5 (best)". */

export interface CodedLabel {
  readonly code: number
  /** The label without its code; empty where the code stands alone. */
  readonly label: string
}

const BEFORE = /^\s*[([]?(-?\d{1,3})[\])]?\s*(?:[.:=)\]]|-(?=\s*\p{L})|\s-\s)\s*(\S.*)$/su
const BEFORE_IN_PARENTHESES = /^\s*(-?\d{1,3})\s*[([]([^()[\]]*\p{L}[^()[\]]*)[\])]\s*$/u
const BEHIND = /^(.*\p{L}.*\S)\s*[([](-?\d{1,3})[\])]\s*$/su
const ALONE = /^\s*(-?\d{1,3})\s*$/

/** The code and label of each text; null where one has no code, where codes repeat, or where no text has a label. */
export function codedLabels(texts: readonly string[]): CodedLabel[] | null {
  const labels: CodedLabel[] = []
  for (const text of texts) {
    const coded = codedLabel(text)
    if (coded === null) return null
    labels.push(coded)
  }
  const hasLabels = labels.some(({ label }) => /\p{L}/u.test(label))
  return hasLabels && new Set(labels.map(({ code }) => code)).size === labels.length ? labels : null
}

function codedLabel(text: string): CodedLabel | null {
  const before = BEFORE.exec(text) ?? BEFORE_IN_PARENTHESES.exec(text)
  if (before !== null) return withCode(before[1]!, before[2]!)
  const behind = BEHIND.exec(text)
  if (behind !== null) return withCode(behind[2]!, behind[1]!)
  const alone = ALONE.exec(text)
  return alone === null ? null : withCode(alone[1]!, '')
}

/** Codes with a leading zero number things. */
function withCode(code: string, label: string): CodedLabel | null {
  return /^-?0\d/.test(code) ? null : { code: Number(code), label: label.trim() }
}
