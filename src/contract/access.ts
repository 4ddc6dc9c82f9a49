import { z } from 'zod'
import { DateTime, Identifier, SIGNUP_REQUEST_ID_PATTERN } from './ids.ts'

/**
 * Text before one `@` and a dotted name after it, without white space or control characters. Only sending mail shows
 * whether somebody reads it. The OpenAPI document contains these patterns, so they use only what ECMAScript, Python and
 * Java have in common: no `\p{…}`, and brackets inside a class by their code.
 */
const EMAIL_PATTERN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  /^[^\s\x00-\x1f\x7f-\x9f@<>(),;:"\\\x5b\x5d]+@[^\s\x00-\x1f\x7f-\x9f@<>(),;:"\\\x5b\x5d.]+(\.[^\s\x00-\x1f\x7f-\x9f@<>(),;:"\\\x5b\x5d.]+)+$/u

/** No C0, DEL or C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
export const NO_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/u

/** POST /v1/signup. */
export const SignupRequest = z
  .strictObject({
    company_name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(NO_CONTROL_CHARACTERS, { error: 'must not hold control characters' }),
    contact_email: z
      .string()
      .trim()
      .toLowerCase()
      .max(320)
      .regex(EMAIL_PATTERN, { error: 'must look like an e-mail address' })
      .describe('Trimmed and lower-cased before comparison.'),
  })
  .meta({ id: 'SignupRequest' })
export type SignupRequest = z.infer<typeof SignupRequest>

export const SIGNUP_STATUSES = ['pending', 'approved', 'declined'] as const
export const SignupStatusValue = z.enum(SIGNUP_STATUSES)

export const SignupReceipt = z
  .object({ request_id: z.string().regex(SIGNUP_REQUEST_ID_PATTERN), status: SignupStatusValue.optional() })
  .meta({ id: 'SignupReceipt' })
export type SignupReceipt = z.infer<typeof SignupReceipt>

/** GET /v1/signup/{request_id}. The claim token is shown only while it is unclaimed and unexpired. */
export const SignupStatus = z
  .object({
    request_id: z.string().optional(),
    status: SignupStatusValue,
    client_id: z.string().optional().describe('Present once approved.'),
    credential_claim_token: z
      .string()
      .optional()
      .describe(
        'Present once approved, until it is claimed or expires. Works once. Absent if the operator distributes the tokens.',
      ),
  })
  .meta({ id: 'SignupStatus' })
export type SignupStatus = z.infer<typeof SignupStatus>

/** POST /v1/credential-claims. */
export const CredentialClaimRequest = z
  .strictObject({ claim_token: z.string().min(1).max(512) })
  .meta({ id: 'CredentialClaimRequest' })
export type CredentialClaimRequest = z.infer<typeof CredentialClaimRequest>

/** Returned exactly once; `client_secret` is a production secret. */
export const Credentials = z
  .object({
    client_id: Identifier,
    client_secret: z.string().min(1).describe('Returned exactly once; a production secret.'),
    token_url: z.string().describe('Where tokens are minted.'),
    audience: z.string().describe('The audience to name in token requests.'),
    grant_type: z.literal('client_credentials'),
  })
  .meta({ id: 'Credentials' })
export type Credentials = z.infer<typeof Credentials>

/** POST /v1/credential-rotations; the body is optional. */
export const CredentialRotationRequest = z.strictObject({}).meta({ id: 'CredentialRotationRequest' })

/** Redeemed at POST /v1/credential-claims for the new secret. */
export const CredentialRotation = z
  .object({
    credential_claim_token: z.string().min(1),
    expires_at: DateTime.optional().describe('When the claim token expires, unless a newer rotation voids it earlier.'),
  })
  .meta({ id: 'CredentialRotation' })
export type CredentialRotation = z.infer<typeof CredentialRotation>

/** POST {auth_url}/oauth/token. Standard OAuth 2 fields that the service does not read are ignored (RFC 6749, 3.2). */
export const TokenRequest = z
  .object({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    audience: z.string().min(1),
    grant_type: z.string().min(1),
  })
  .meta({ id: 'TokenRequest' })
export type TokenRequest = z.infer<typeof TokenRequest>

export const TokenReply = z
  .object({
    access_token: z.string().min(1).describe('For `Authorization: Bearer`.'),
    token_type: z.string().optional(),
    expires_in: z.number().optional().describe('Seconds.'),
  })
  .meta({ id: 'TokenReply' })
export type TokenReply = z.infer<typeof TokenReply>

export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_target',
  'temporarily_unavailable',
] as const
export const OAuthError = z
  .object({ error: z.enum(OAUTH_ERRORS), error_description: z.string().optional() })
  .meta({ id: 'OAuthError' })
export type OAuthError = z.infer<typeof OAuthError>

/** GET {auth_url}/.well-known/jwks.json (RFC 7517): the public keys of bearer tokens. */
export const JsonWebKeySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string().optional(),
        x: z.string().optional(),
        y: z.string().optional(),
        kid: z.string(),
        alg: z.string(),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'JsonWebKeySet' })
export type JsonWebKeySet = z.infer<typeof JsonWebKeySet>

/** GET {auth_url}/.well-known/oauth-authorization-server (RFC 8414). */
export const AuthorizationServerMetadata = z
  .object({
    issuer: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
  })
  .meta({ id: 'AuthorizationServerMetadata' })
export type AuthorizationServerMetadata = z.infer<typeof AuthorizationServerMetadata>
