import { type CallLedger, troubleHint, troubleInShort, troubleText } from '../../client/call-ledger.ts'
import { type ExitReason, RunInterruptedError } from './exit-code.ts'
import type { RunFault } from './run-event.ts'

/** Different causes that are told before the rest is only counted. */
const MOST_TOLD = 3

/** Why scenarios came to nothing, told once for all of them. */
export interface StopCauses {
  /** Names no host. */
  readonly message: string
  /** The same with the address of the service. */
  readonly located: string
  /** What the manifest says of the scenarios that this explains. */
  readonly details: readonly string[]
}

/** How a scenario ended, as far as it matters here. */
type End =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' | 'stopped'; readonly cause: ExitReason; readonly fault: RunFault }

/** A deadline together with what kept the service's answers from coming until then. */
export function explainedDeadline(passed: RunInterruptedError, ledger: CallLedger): RunInterruptedError {
  const troubles = ledger.troubles()
  const [first] = troubles
  if (first === undefined) return passed
  const text = (withAddress: boolean) =>
    [
      passed.message,
      ...listed(troubles.map((trouble) => sentenceOf(troubleText(trouble, { withAddress })))),
      troubleHint(first),
    ]
      .map((sentence) => `${sentence.replace(/\.$/, '')}.`)
      .join(' ')
  return new RunInterruptedError('deadline', text(false), {
    located: text(true),
    detail: `${passed.detail}; ${troubleInShort(first)}`,
  })
}

/** What scenarios were stopped by that could not be asked for, or not to the end; null where there are none. */
export function stopCauses(ends: Iterable<End>): StopCauses | null {
  const causes = new Map<string, { readonly message: string; readonly located: string }>()
  for (const end of ends) {
    if (end.kind !== 'stopped' || end.cause !== 'deadline_or_network') continue
    const { detail, message, located = message } = end.fault
    if (!causes.has(detail)) causes.set(detail, { message, located })
  }
  if (causes.size === 0) return null
  const told = [...causes.values()]
  return {
    message: listed(told.map(({ message }) => message)).join(' '),
    located: listed(told.map(({ located }) => located)).join(' '),
    details: [...causes.keys()],
  }
}

function listed(texts: readonly string[]): string[] {
  const rest = texts.length - MOST_TOLD
  return rest <= 0 ? [...texts] : [...texts.slice(0, MOST_TOLD), `There are ${rest} causes more`]
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
