import { hashFile } from '../../base/sha256.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import type { FileDataset } from '../../study/study.ts'
import { declarationsOf, type HashedSeedFile, hashDeclared } from '../files/seed-files.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { SeedUpload } from './dataset-requests.ts'

/**
 * The seed file as the study declares it, and with the types that the study's use asks for. A declared type wins.
 *
 * @param types of an upload; its key is that of the file without them.
 * @throws WorkFailedError where the file has changed since it was hashed.
 */
export async function seedAsUsed(
  dataset: FileDataset,
  types: NonNullable<UploadRecord['types']>,
  seed: HashedSeedFile,
  signal: AbortSignal,
): Promise<Pick<SeedUpload, 'seed' | 'declarations'>> {
  const declared = declarationsOf(dataset)
  const declarations = { ...declared, types: { ...types, ...declared?.types } }
  const made = await hashDeclared(dataset, declarations, seed.path, signal)
  // What is sent goes by the digest of the file as it was: no other rows may come under its name.
  const { sha256 } = await hashFile(seed.path, { signal })
  if (sha256 !== seed.fileSha256)
    throw new WorkFailedError('failed', `the seed file of dataset ${dataset.id} has changed`)
  return { seed: { ...made, path: seed.path }, declarations }
}
