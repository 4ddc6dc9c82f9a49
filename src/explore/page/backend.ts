import type { Refused } from '../wire/messages.ts'
import { nothingPressed } from './presses.ts'

/** Who answers the page: `whatif explore` on this machine, or a service. */
export interface Backend {
  /** Rejects with an error whose message is for people. */
  readonly send: (path: string, body?: unknown) => Promise<unknown>
  /** What stands in the address in front of the state, so that a reload shows the same page. */
  readonly address: string
  /** The same in a link for others. */
  readonly link: string
}

let backend: Backend

/** Before anything is asked. */
export function connect(to: Backend): void {
  backend = to
}

export const addressOf = (state: string): string => `#${backend.address}state=${state}`

export const linkWith = (state: string): string => `#${backend.link}state=${state}`

/** An answer moves nothing away from under a pointer that presses it. */
export const call = async <T>(path: string, body?: unknown): Promise<T> => {
  try {
    return (await backend.send(path, body)) as T
  } finally {
    await nothingPressed()
  }
}

/** As `call`; what goes wrong is an answer, too. */
export const ask = <T>(path: string, body: unknown): Promise<T | Refused> =>
  call<T>(path, body).catch((error: unknown) => ({ kind: 'refused', message: (error as Error).message }))
