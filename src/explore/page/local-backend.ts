import type { Backend } from './backend.ts'

const NO_TOKEN =
  'The address of this page lacks its token, or has that of a command that has ended. Open the address that whatif explore printed last.'
const GONE = 'whatif explore does not answer. Is it still running? The next move asks again.'

/**
 * The address of a command that was started again has another token. Opened on this page, it takes the place of the old one, and the
 * state stays.
 */
export function followNewTokens(): void {
  const parts = (address: string) => new URLSearchParams(new URL(address).hash.slice(1))
  addEventListener('hashchange', ({ oldURL, newURL }) => {
    const [before, after] = [parts(oldURL), parts(newURL)]
    const token = after.get('token')
    if (token === null || token === before.get('token')) return
    const state = after.get('state') ?? before.get('state')
    window.history.replaceState(null, '', `#token=${token}${state === null ? '' : `&state=${state}`}`)
    location.reload()
  })
}

/** `whatif explore`, whose token is in the fragment of the address: links that are opened later on this page have none. */
export function localBackend(hash: string): Backend {
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  return {
    async send(path, body) {
      const response = await fetch(path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new Error(GONE)
      })
      const value = await response.json()
      if (!response.ok) throw new Error(response.status === 401 ? NO_TOKEN : String(value.message))
      return value
    },
    address: `token=${token}&`,
    link: '',
  }
}
