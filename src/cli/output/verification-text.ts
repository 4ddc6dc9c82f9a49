import { countText, plural } from '../../base/text/amount-text.ts'
import { cutText, wrapped } from '../../base/text/fit-text.ts'
import type { Check } from '../../records/verification.ts'

/** Above this many things that hold, the others are counted. What does not hold, or was not checked, is always listed. */
const MOST_LINES = 40

const NAMES: { readonly [Of in Check['of']]: string } = {
  signature: 'signature',
  record: 'record',
  manifest: 'manifest',
  gates: 'gates',
  comparison: 'comparison',
  result: 'file',
  figures: 'figures of',
  report: 'page',
  study: 'study',
  lock: 'lock file',
  seed: 'seed file',
  model: 'model of',
  again: 'run again:',
}

const MARKS = { differs: '✗', not_checked: '–', holds: '✓' } as const

/** What verifying came to: a line for each thing, first what does not hold, then what could not be checked. */
export function verificationText(checks: readonly Check[], width: number): string {
  const of = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict)
  const [bad, open, good] = [of('differs'), of('not_checked'), of('holds')]
  const left = good.length - MOST_LINES
  return [
    ...[...bad, ...open, ...good.slice(0, MOST_LINES)].map((check) => lineOf(check, width)),
    ...(left > 0 ? [`… and ${plural(left, 'more thing')} that ${left === 1 ? 'holds' : 'hold'}\n`] : []),
    wrapped('', summaryOf(bad.length, open.length, good.length), width),
  ].join('')
}

/** Names and reasons may come from a stranger's file. In UTF-16 units. */
const [LONGEST_NAME, LONGEST] = [200, 500]

const cut = (text: string, longest: number): string => (text.length <= longest ? text : `${cutText(text, longest)}…`)

function lineOf({ of, name, verdict, detail }: Check, width: number): string {
  const what = name === '' ? NAMES[of].replace(/ of$|:$/, '') : `${NAMES[of]} ${name}`
  const said = verdict === 'not_checked' ? `not checked: ${detail}` : detail
  return wrapped(`${MARKS[verdict]} `, cut(`${cut(what, LONGEST_NAME)}: ${said}`, LONGEST), width)
}

function summaryOf(bad: number, open: number, good: number): string {
  const parts = [`${countText(good)} of ${countText(bad + open + good)} checks hold`]
  if (bad > 0) parts.push(`${countText(bad)} ${bad === 1 ? 'does' : 'do'} not`)
  if (open > 0) parts.push(`${countText(open)} could not be made`)
  return parts.join(', ')
}
