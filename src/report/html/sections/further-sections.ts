import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import type { Section } from '../section.ts'
import { dataSection } from './data-section.ts'
import { distributionSection } from './distribution-section.ts'
import { feasibilitySection } from './feasibility-section.ts'
import { responseSection } from './response-section.ts'
import { targetsSection } from './targets-section.ts'

/** The parts of the page between the comparisons and the gates; those that a manifest has nothing for are absent. */
export const furtherSections = (read: ReadManifest): Section[] =>
  [
    responseSection(read),
    distributionSection(read),
    targetsSection(read),
    feasibilitySection(read),
    dataSection(read),
  ].filter((section) => section !== null)
