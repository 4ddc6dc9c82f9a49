import { z } from 'zod'
import {
  AuthorizationServerMetadata,
  CredentialClaimRequest,
  CredentialRotation,
  CredentialRotationRequest,
  Credentials,
  JsonWebKeySet,
  OAuthError,
  SignupReceipt,
  SignupRequest,
  SignupStatus,
  TokenReply,
  TokenRequest,
} from './access.ts'
import { SIGNUP_REQUEST_ID_PATTERN } from './ids.ts'
import { MAX_ROTATIONS, ROTATION_WINDOW_SECONDS } from './limits.ts'
import { IDEMPOTENCY_KEY, json, type Operation, pathId } from './operation.ts'
import { IDEMPOTENT_REPLAYED } from './response-headers.ts'

export const SIGNUP_ID = pathId(
  'request_id',
  'As returned by POST /v1/signup.',
  z.string().regex(SIGNUP_REQUEST_ID_PATTERN),
)

/** Getting access: signup, claim, rotation, token. */
export const ACCESS_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'signup',
    method: 'POST',
    path: '/v1/signup',
    tag: 'access',
    summary: 'Ask for access',
    description:
      'The operator of the service decides on each request. Poll the status until it is approved or declined. A repeated signup for a contact e-mail with a pending or approved request returns that request.',
    security: 'none',
    request: { required: true, content: json(SignupRequest) },
    responses: {
      200: {
        description: 'The contact e-mail has a pending or approved request already.',
        content: json(SignupReceipt),
      },
      202: { description: 'A new request was recorded.', content: json(SignupReceipt) },
    },
  },
  {
    operationId: 'getSignup',
    method: 'GET',
    path: '/v1/signup/{request_id}',
    tag: 'access',
    summary: 'Status of a request for access',
    description:
      'Anybody who knows the request id can read it. So can anybody who knows the contact e-mail, because a repeated signup returns the request id. After the approval it shows the claim token until that token is claimed or expires. If the operator distributes the tokens, it never shows one.',
    security: 'none',
    parameters: [SIGNUP_ID],
    responses: { 200: { description: 'The status.', content: json(SignupStatus) } },
  },
  {
    operationId: 'claimCredentials',
    method: 'POST',
    path: '/v1/credential-claims',
    tag: 'access',
    summary: 'Redeem a claim token for a client secret, once',
    description: 'Only this reply shows the secret. Store it first. A claim token works once.',
    security: 'none',
    request: { required: true, content: json(CredentialClaimRequest) },
    responses: { 200: { description: 'The credentials; the secret is not shown again.', content: json(Credentials) } },
    errors: ['svc_invalid_claim'],
  },
  {
    operationId: 'rotateCredentials',
    method: 'POST',
    path: '/v1/credential-rotations',
    tag: 'access',
    summary: 'Rotate the client secret',
    description: `Returns a claim token for the new secret. The old secret mints tokens until the new one is claimed. Bearer tokens stay valid until they expire. A newer rotation voids older unclaimed claim tokens. At most ${MAX_ROTATIONS} rotations per client in ${ROTATION_WINDOW_SECONDS / 3600} hours. A repeat with the same key returns the same claim token and does not count.`,
    security: 'bearer',
    parameters: [IDEMPOTENCY_KEY],
    request: { required: false, content: json(CredentialRotationRequest) },
    responses: {
      200: {
        description: 'The claim token of this rotation.',
        content: json(CredentialRotation),
        headers: [IDEMPOTENT_REPLAYED],
      },
    },
  },
  {
    operationId: 'mintToken',
    method: 'POST',
    path: '/oauth/token',
    tag: 'access',
    summary: 'Mint a bearer token',
    description:
      'An operation of the identity provider at {auth_url}. The client may also authenticate by HTTP Basic (RFC 6749). Errors have the OAuth form.',
    security: 'none',
    onAuthUrl: true,
    request: {
      required: true,
      content: { 'application/json': TokenRequest, 'application/x-www-form-urlencoded': TokenRequest },
    },
    responses: {
      200: { description: 'A token for about 24 hours.', content: json(TokenReply) },
      400: { description: 'The request is not a token request for this service.', content: json(OAuthError) },
      401: { description: 'The client or its secret is wrong.', content: json(OAuthError) },
    },
  },
  {
    operationId: 'getJsonWebKeySet',
    method: 'GET',
    path: '/.well-known/jwks.json',
    tag: 'access',
    summary: 'Public keys of bearer tokens',
    description: 'For services that check bearer tokens themselves. Clients do not need it.',
    security: 'none',
    onAuthUrl: true,
    responses: { 200: { description: 'The keys (RFC 7517).', content: json(JsonWebKeySet) } },
  },
  {
    operationId: 'getAuthorizationServerMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    tag: 'access',
    summary: 'Metadata of the identity provider',
    description: 'Where the token operation and the keys are (RFC 8414), for OAuth libraries that read it.',
    security: 'none',
    onAuthUrl: true,
    responses: { 200: { description: 'The metadata (RFC 8414).', content: json(AuthorizationServerMetadata) } },
  },
]
