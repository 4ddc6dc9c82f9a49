import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of minutes: one that begins last would run alone at the end. */
const MINUTES = [
  'security/counts-no-oracle',
  'client/many-cut-transfers',
  'e2e/killed-runs',
  'e2e/installed-package',
  'crash/kill-rounds',
  'engine/scenario/no-oracle',
  'local/run-study-file',
  'html/page/browser',
  'pages/browser',
  'postgres/wrong-clock',
].map((name) => `/${name}.long.test.ts`)

/** Begins with the files that take minutes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const takesMinutes = ({ moduleId }: TestSpecification) => MINUTES.some((end) => moduleId.endsWith(end))
    return [...sorted.filter(takesMinutes), ...sorted.filter((file) => !takesMinutes(file))]
  }
}
