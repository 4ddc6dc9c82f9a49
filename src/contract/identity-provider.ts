import { z } from 'zod'

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
