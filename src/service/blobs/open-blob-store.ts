import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import type { BlobStore } from './blob-store.ts'
import { type FileBlobStoreOptions, openFileBlobStore } from './file-blob-store.ts'

/** Where the settings say that blobs are kept: a bucket, or files in the data folder. */
export async function openBlobStore(
  settings: Pick<Settings, 'dataDir' | 'objectStorage'>,
  options: FileBlobStoreOptions = {},
): Promise<BlobStore> {
  if (settings.objectStorage === null) return await openFileBlobStore(join(settings.dataDir, 'blobs'), options)
  const { openS3BlobStore } = await import('./s3-blob-store.ts')
  return await openS3BlobStore(settings.objectStorage, join(settings.dataDir, 'scratch'))
}
