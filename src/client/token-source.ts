import { TokenReply } from './access-replies.ts'
import { type CallScope, inScope } from './call-scope.ts'
import { type Bearer, callForJson } from './call-service.ts'
import { InFlight } from './in-flight.ts'
import { ServiceError } from './service-error.ts'
import type { Transport } from './transport.ts'

export interface TokenOptions {
  /** Address of the token operation, checked. */
  readonly tokenUrl: URL
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Part of a token's life after which a new one is minted. */
const USED_LIFE = 0.9
/** Lifetime of a token whose reply does not state it. If it is shorter, the 401 leads to a new token. */
const ASSUMED_LIFE_S = 3600

/**
 * Bearer tokens by client credentials (specification, "Authentication" 1). Tokens stay in memory only. Callers that
 * need a new one at the same time share one request.
 */
export class TokenSource implements Bearer {
  readonly #transport: Transport
  readonly #options: TokenOptions
  readonly #mints = new InFlight<string>()
  #token: { readonly value: string; readonly renewAtMs: number } | null = null

  constructor(transport: Transport, options: TokenOptions) {
    this.#transport = transport
    this.#options = options
  }

  async get(scope: CallScope): Promise<string> {
    const token = this.#token
    if (token !== null && this.#transport.now() < token.renewAtMs) return token.value
    return this.#mints.join('token', scope.signal, (signal) => this.#mint(signal, scope))
  }

  /** Discards only the refused token: another caller may have renewed it since. */
  discard(token: string): boolean {
    if (this.#token?.value === token) this.#token = null
    return true
  }

  /** The first caller's `onRetry` and deadline apply. Other callers wait for the same request. */
  async #mint(signal: AbortSignal, { onRetry, ledger, deadlineMs }: CallScope): Promise<string> {
    const transport = this.#transport
    const { tokenUrl, audience, clientId, clientSecret } = this.#options
    const options = {
      call: { signal, onRetry, ledger, deadlineMs },
      limitMs: transport.timeouts.callMs,
      closing: transport.closing,
      now: transport.now,
    }
    return inScope(options, async (scope) => {
      let askedAtMs = transport.now()
      const { value } = await callForJson(transport, scope, {
        // Its path may name a tenant.
        asked: 'The token request',
        target: { operation: 'the token request', party: 'the identity provider', origin: tokenUrl.origin },
        repetition: 'free',
        bearer: null,
        secrets: [clientSecret],
        schema: TokenReply,
        request: () => {
          askedAtMs = transport.now()
          return {
            method: 'POST',
            url: tokenUrl,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              client_id: clientId,
              client_secret: clientSecret,
              audience,
              grant_type: 'client_credentials',
            }),
          }
        },
      }).catch((error: unknown) => {
        throw asAuthError(error, tokenUrl)
      })
      const lifeMs = (value.expires_in ?? ASSUMED_LIFE_S) * 1000
      this.#token = { value: value.access_token, renewAtMs: askedAtMs + lifeMs * USED_LIFE }
      return value.access_token
    })
  }
}

/** Answers of an address without a token operation. */
const NO_OPERATION: ReadonlySet<number> = new Set([404, 405, 410, 501])

const NAME_IT = 'If tokens are minted at another address, set WHATIF_AUTH_URL (in a program: authUrl).'

/**
 * Every refusal by the identity provider is about credentials or configuration (RFC 6749, 5.2: mostly 400). An answer
 * that is not a token is too: something else answers at this address.
 */
function asAuthError(error: unknown, { origin, pathname }: URL): unknown {
  if (!(error instanceof ServiceError) || error.status === null) return error
  if (error.kind === 'server' || error.kind === 'deadline') return error
  const { status, problem, requestId, attempts } = error
  const code = problem?.code ?? null
  if (error.kind === 'reply') {
    return new ServiceError({
      kind: 'auth',
      message: `The identity provider gave no token. ${error.summary}`,
      located: `The identity provider at ${origin}${pathname} gave no token. ${error.summary}`,
      status,
      requestId,
      attempts,
      cause: error,
      hint: `${NAME_IT} Also check that no proxy answers instead of it`,
    })
  }
  const said = problem?.detail ?? problem?.title ?? ''
  const answer = `gave no token: ${status}${code === null ? '' : ` ${code}`}${said === '' ? '' : `: ${said}`}`
  return new ServiceError({
    kind: 'auth',
    message: `The identity provider ${answer}`,
    located: `The identity provider at ${origin}${pathname} ${answer}`,
    status,
    code,
    problem,
    requestId,
    attempts,
    cause: error,
    hint: NO_OPERATION.has(status)
      ? NAME_IT
      : 'Check client id, client secret, audience and the address of the identity provider; the secret may have been rotated',
  })
}
