import type { Backend } from './backend.ts'

const NO_TOKEN = 'The address of this page lacks its token. Open the address that whatif explore printed.'
const GONE = 'whatif explore does not answer. Is it still running? The next move asks again.'

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
