import { SetupError } from '../../local/setup-error.ts'
import type { ObjectStorage } from '../../objects/object-storage.ts'

/**
 * Address, region and credentials of the storage, from the variables of a service's bucket, and never from a file or a study, which may
 * come from a pull request.
 *
 * @param what needs them, for messages
 * @throws SetupError
 */
export function bucketAccess(env: NodeJS.ProcessEnv, what: string): Omit<ObjectStorage, 'bucket' | 'prefix'> {
  const { WHATIF_S3_ACCESS_KEY_ID: id, WHATIF_S3_SECRET_ACCESS_KEY: secret } = env
  if (!id !== !secret)
    throw new SetupError(
      5,
      `${what} needs both WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY, or neither; found only ${id ? 'the first' : 'the second'}`,
    )
  const region = env.WHATIF_S3_REGION || env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  const endpoint = env.WHATIF_S3_ENDPOINT || `https://s3.${region}.amazonaws.com`
  if (!/^https?:\/\/[^\s/@?#]+\/?$/.test(endpoint))
    throw new SetupError(
      2,
      'WHATIF_S3_ENDPOINT: expected the address of the storage without bucket, user or path, such as https://s3.example.org',
    )
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(region))
    throw new SetupError(2, 'WHATIF_S3_REGION: expected a name such as eu-central-1')
  if (id && secret) return { endpoint, region, accessKeyId: id, secretAccessKey: secret }
  // Loaded late: the library that finds credentials is large.
  const credentials = async () => await (await import('./aws-credentials.ts')).standardCredentials(env)()
  return { endpoint, region, credentials }
}
