import type { Check } from '../../records/verification.ts'

type MakeCheck = (of: Check['of'], name: string, detail: string) => Check

export const holds: MakeCheck = (of, name, detail) => ({ of, name, verdict: 'holds', detail })

export const differs: MakeCheck = (of, name, detail) => ({ of, name, verdict: 'differs', detail })

/** Nothing is known against it, and nothing for it. */
export const notChecked: MakeCheck = (of, name, detail) => ({ of, name, verdict: 'not_checked', detail })
