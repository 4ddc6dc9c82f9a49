import { words } from '../base/language/language.ts'

/** The status of a scenario or a run, in the language in effect; one of a later version as it is. */
export function statusText(status: string): string {
  const known: Readonly<Record<string, string>> = words().figures.statuses
  return Object.hasOwn(known, status) ? known[status]! : status.replace('_', ' ')
}
