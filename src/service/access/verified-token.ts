/** The caller, as read from a verified bearer token. */
export interface Identity {
  readonly tenantId: string
  readonly clientId: string
}

/** When a token was minted: our own carry their client's epoch, foreign ones the time. */
export type MintMark = { readonly epoch: number } | { readonly issuedAtMs: number }

/** The content of a token whose signature and claims have been checked. */
export interface VerifiedToken {
  readonly identity: Identity
  readonly mint: MintMark
  /** The token needs no further check until then, in milliseconds since 1970. */
  readonly goodUntilMs: number
}

/**
 * Checks signature and claims of a token. Resolves to null for every bad token, without saying why. Rejects if the
 * token cannot be checked now.
 */
export type TokenCheck = (token: string) => Promise<VerifiedToken | null>
