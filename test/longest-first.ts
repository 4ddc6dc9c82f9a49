import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest: one that begins last would run alone at the end. */
const LONGEST = [
  'security/counts-no-oracle',
  'e2e/installed-package',
  'engine/scenario/no-oracle',
  'e2e/killed-runs',
  'crash/kill-rounds',
  'runner/faults/faults',
  'e2e/real-tables',
  'cli/interruption',
  'e2e/day-two',
  'storage/full-size-transfers',
  'runner/kill',
  'html/page/browser',
  'pages/browser',
  'postgres/backup',
].map((name) => `/${name}.long.test.ts`)

/** Begins with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((end) => moduleId.endsWith(end))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
