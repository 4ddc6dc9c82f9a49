/** What a bucket's credentials may be in the environment: our own variable, and those of the chain of AWS (`aws-credentials.ts`). */
const NAMES = [
  'WHATIF_S3_SECRET_ACCESS_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
]

export const storageSecrets = (env: NodeJS.ProcessEnv): string[] => NAMES.flatMap((name) => env[name] || [])
