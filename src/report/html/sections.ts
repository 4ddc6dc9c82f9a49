import type { ReadManifest } from '../../manifest/parse-manifest.ts'
import type { Section } from './section.ts'

/** The pictures below the first screen. */
export const furtherSections = (_read: ReadManifest): Section[] => []
