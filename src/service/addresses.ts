/**
 * The addresses that clients use, without trailing slashes. With port 0 they are known only once the server listens:
 * read them when a request is answered, never when the app is built.
 */
export interface Addresses {
  /** `{base_url}`: also the audience of tokens. */
  baseUrl: string
  /** `{auth_url}`: the issuer of tokens; `{auth_url}/oauth/token` mints them. */
  authUrl: string
}
