import { basename, extname } from 'node:path'
import { likelySlug, MAX_SLUG_LENGTH } from '../../study/shape/slug.ts'

/** The name of a study for a seed file. */
export function slugOfFile(seed: string): string {
  const slug = likelySlug(basename(seed, extname(seed)).slice(0, MAX_SLUG_LENGTH))
  return slug === null ? 'first-study' : slug
}
