import { join } from 'node:path'
import type { ConnectionOptions } from '../../objects/s3-connection.ts'
import type { Settings } from '../settings/settings.ts'
import type { BlobStore } from './blob-store.ts'
import { openFileBlobStore } from './file-blob-store.ts'
import type { ScratchOptions } from './scratch-folder.ts'

/** Opens the blob storage that the settings name: a bucket, or files in the data folder. */
export async function openBlobStore(
  settings: Pick<Settings, 'dataDir' | 'objectStorage'>,
  options: ScratchOptions & Pick<ConnectionOptions, 'now'> = {},
): Promise<BlobStore> {
  if (settings.objectStorage === null) return await openFileBlobStore(join(settings.dataDir, 'blobs'), options)
  const { openS3BlobStore } = await import('./s3-blob-store.ts')
  return await openS3BlobStore(settings.objectStorage, join(settings.dataDir, 'scratch'), options)
}
