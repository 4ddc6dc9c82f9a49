import { words } from '../../../base/language/language.ts'

/** Why cleaning left a column out, as the end of the sentence "it …". Reasons of other services are shown as they are. */
export function dropReason(reason: string): string {
  const known: Readonly<Record<string, string>> = words().data.reasons
  return Object.hasOwn(known, reason) ? known[reason]! : reason.replaceAll('_', ' ')
}
