import type { Refused } from '../wire/messages.ts'

const NO_TOKEN = 'The address of this page lacks its token. Open the address that whatif explore printed.'
const GONE = 'whatif explore does not answer. Is it still running? The next move asks again.'

/** Kept for links that are opened later on this page, which have no token. */
export const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

export async function call<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const value = await response.json()
  if (!response.ok) throw new Error(response.status === 401 ? NO_TOKEN : String(value.message))
  return value
}

export const words = (error: unknown): string => (error instanceof TypeError ? GONE : (error as Error).message)

/** As `call`; what goes wrong is an answer, too. */
export const ask = <T>(path: string, body: unknown): Promise<T | Refused> =>
  call<T>(path, body).catch((error: unknown) => ({ kind: 'refused', message: words(error) }))
