import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import type { Section } from '../../../base/document/block.ts'
import { answerSection } from '../answer/first-screen.ts'
import { comparisonsSection } from '../record/comparisons-section.ts'
import { findingsSection } from '../record/findings-section.ts'
import { gatesSection } from '../record/gates-section.ts'
import { provenanceSection } from '../record/provenance-section.ts'
import { backtestSection } from '../sections/backtest-section.ts'
import { dataSection } from '../sections/data-section.ts'
import { distributionSection } from '../sections/distribution-section.ts'
import { feasibilitySection } from '../sections/feasibility-section.ts'
import { responseSection } from '../sections/response-section.ts'
import { targetsSection } from '../sections/targets-section.ts'

/** A manifest as a document: the answer, then what it rests on. A section that the manifest has nothing for is absent. */
export const reportSections = (read: ReadManifest): [answer: Section, ...others: Section[]] => [
  answerSection(read),
  ...[
    responseSection(read),
    distributionSection(read),
    targetsSection(read),
    feasibilitySection(read),
    dataSection(read),
    comparisonsSection(read),
    backtestSection(read),
    gatesSection(read),
    findingsSection(read),
    provenanceSection(read),
  ].filter((section) => section !== null),
]
