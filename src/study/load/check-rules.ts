import { columnsOfRule } from '../../base/rules/rule.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { parseRule, type RuleFault } from '../rules/parse-rule.ts'
import { childItems, type Located, type LocatedNode, nameText } from '../yaml/located-node.ts'

/** Faults of the rules of a dataset, as far as their texts show them; a rule's columns are checked with the file. */
export function checkRules(dataset: LocatedNode): Diagnostic[] {
  const first = new Map<string, SourceRange>()
  return childItems(dataset, 'rules').flatMap((item) => {
    const text = nameText(item)
    const parsed = parseRule(text)
    if ('fault' in parsed) return [ruleFault(item, text, parsed.fault)]
    const before = first.get(parsed.rule.text)
    if (before === undefined) {
      first.set(parsed.rule.text, item.range)
      return []
    }
    const related = [{ message: 'the first one', range: before }]
    const summary = `rule "${parsed.rule.text}" is stated twice`
    return [diagnose('S1402', { summary, range: item.range, detail: 'remove one of them', related })]
  })
}

/** The columns that rules name, once for each rule. */
export function columnsInRules(dataset: LocatedNode): Located<string>[] {
  return childItems(dataset, 'rules').flatMap((item) => {
    const parsed = parseRule(nameText(item))
    return 'rule' in parsed ? columnsOfRule(parsed.rule).map((value) => ({ value, range: item.range })) : []
  })
}

function ruleFault(item: LocatedNode, text: string, { expected, found, at, advice }: RuleFault): Diagnostic {
  const place = found === '' ? 'its end' : `"${found}"`
  return diagnose('S1417', {
    summary: `this is no rule: at ${place}, expected ${expected}`,
    range: placeIn(item.range, text, at, Math.max(1, found.length)),
    detail: advice ?? 'write rules as "start <= end", "a + b = total" or "age >= 18 if driver = Yes"',
  })
}

/** A part of a text on one line without escapes; of another one, the whole. */
function placeIn(range: SourceRange, text: string, at: number, length: number): SourceRange {
  const { start, end } = range
  const quotes = end.offset - start.offset - text.length
  if (start.line !== end.line || (quotes !== 0 && quotes !== 2)) return range
  const from = at + quotes / 2
  const to = Math.min(from + length, end.offset - start.offset)
  const moved = (by: number) => ({ line: start.line, column: start.column + by, offset: start.offset + by })
  return { ...range, start: moved(Math.min(from, to - 1)), end: moved(to) }
}
