import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest: one that begins last would run alone at the end. */
const LONGEST = [
  'e2e/installed-package',
  'disclosure/attacks',
  'deploy/containers',
  'deck/deck-opens',
  'data/parted-bytes',
  'data/parts',
  'cli/shards',
  'e2e/killed-runs',
  'runner/state-bucket-kill',
  'pages/browser',
  'html/page/browser',
  'crash/kill-rounds',
  'faults/faults',
  'cli/backtest',
  'runner/state-bucket',
  'storage/full-size-transfers',
  'explore/explore',
  'security/counts-no-oracle',
  'schedulers/slurm',
  'postgres/parts',
  'postgres/processes',
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
