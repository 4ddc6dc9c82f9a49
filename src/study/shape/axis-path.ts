import { CONDITION_KINDS } from '../conditions/kinds.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { GATE_FORMS, GATE_KINDS } from '../gates/gate.ts'
import type { Located } from '../yaml/located-node.ts'

/** Paths that an axis may set; `*` is the name of a column or level. */
const SETTABLE: readonly (readonly string[])[] = [
  ['rows'],
  ['seed'],
  ['replicates'],
  ['format'],
  ['dataset'],
  ['partial'],
  ['margins'],
  ...Object.values(CONDITION_KINDS).flatMap(({ word, settable }) => settable.map((path) => [word, '*', ...path])),
  ...['expect', 'warn'].flatMap((gates) =>
    GATE_KINDS.flatMap((kind) => [
      [gates, kind, GATE_FORMS[kind].number],
      ...(GATE_FORMS[kind].hasColumns ? [[gates, kind, 'columns', '*']] : []),
    ]),
  ),
]

/** Null for a path to one value; otherwise the fault. `path` is not empty. */
export function checkAxisPath(path: readonly Located<string>[]): Diagnostic | null {
  let open = SETTABLE
  for (const [depth, item] of path.entries()) {
    const next = open.filter((settable) => settable[depth] === '*' || settable[depth] === item.value)
    if (next.length === 0) return badStep(open, depth, item)
    open = next
  }
  if (open.some((settable) => settable.length === path.length)) return null
  const last = path[path.length - 1]!
  const expected = [...new Set(open.map((settable) => `[${settable.map(placeholder).join(', ')}]`))]
  return diagnose('S4107', {
    summary: `the path ends at "${last.value}", which is not a single value`,
    range: last.range,
    detail: `expected: ${expected.join(' or ')}`,
  })
}

function badStep(open: readonly (readonly string[])[], depth: number, item: Located<string>): Diagnostic {
  const allowed = [...new Set(open.map((settable) => settable[depth]).filter((step) => step !== undefined))]
  return diagnose('S4107', {
    summary:
      allowed.length === 0
        ? `the path continues to "${item.value}" after a single value`
        : `an axis cannot set "${item.value}" here`,
    range: item.range,
    detail: allowed.length === 0 ? '' : `allowed: ${allowed.join(', ')}`,
    suggestions: suggest(item.value, allowed),
  })
}

function placeholder(step: string, depth: number): string {
  if (step !== '*') return step
  return depth === 2 ? 'level' : 'column'
}
