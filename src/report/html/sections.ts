import type { ReadManifest } from '../../manifest/parse-manifest.ts'
import type { Section } from './section.ts'
import { dataSection } from './sections/data-section.ts'
import { distributionSection } from './sections/distribution-section.ts'
import { feasibilitySection } from './sections/feasibility-section.ts'
import { responseSection } from './sections/response-section.ts'
import { targetsSection } from './sections/targets-section.ts'

/** The parts of the page between the comparisons and the gates; those that a manifest has nothing for are absent. */
export const furtherSections = (read: ReadManifest): Section[] =>
  [
    responseSection(read),
    distributionSection(read),
    targetsSection(read),
    feasibilitySection(read),
    dataSection(read),
  ].filter((section) => section !== null)
