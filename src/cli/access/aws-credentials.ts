import type { CredentialProvider } from '../../objects/object-storage.ts'
import { noCredentials } from '../../objects/storage-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Ends a wait for the token service, in milliseconds. */
const TOKEN_SERVICE_MS = 5_000

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Credentials as programs for AWS find them: variables, profiles in files, a web identity (EKS), a container's endpoint,
 * a machine's role. The library, which is loaded when first needed, reads the process's environment by itself; what
 * is passed here only states where it searched.
 */
export function standardCredentials(env: Environment): CredentialProvider {
  return async () => {
    // It is part of what the build makes of this package (scripts/bundle-cli.js): no newer one will be installed.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
    const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION
    // A new one each time, which keeps nothing of the one before: files may have changed since.
    const provider = defaultProvider({
      ignoreCache: true,
      logger: SILENT,
      maxRetries: 1,
      clientConfig: {
        ...(region !== undefined && { region }),
        requestHandler: { connectionTimeout: TOKEN_SERVICE_MS, requestTimeout: TOKEN_SERVICE_MS },
      },
    })
    try {
      const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provider()
      return {
        accessKeyId,
        secretAccessKey,
        sessionToken: sessionToken || null,
        expiresAtMs: expiration?.getTime() ?? null,
      }
    } catch (error) {
      throw noCredentials(reasonOf(error), sourceOf(env))
    }
  }
}

/** Where the variables say that credentials are. */
function sourceOf(env: Environment): string {
  if (env.AWS_PROFILE) return ` from the profile of AWS_PROFILE, ${env.AWS_PROFILE}`
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE) return ' from the web identity of AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN'
  for (const name of ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'AWS_CONTAINER_CREDENTIALS_FULL_URI']) {
    if (env[name]) return ` from the address of ${name}`
  }
  return ': no variable names a source, and neither the files in ~/.aws nor the machine have any'
}

/** The part of a message that cannot be a secret: a code of the network or of the file system. */
function reasonOf(error: unknown): string {
  const { name, message } = error as Error
  return /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? name
}
