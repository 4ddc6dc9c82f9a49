import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { findPostgres } from './test/service/postgres-cluster.ts'

/** Tests that kill, flood, sweep or repeat, and those of large files: `npm run test:long` runs them, `npm test` does not. */
const LONG = 'test/**/*.long.test.ts'

/** Dependencies of the workspace of generated clients have tests of their own. */
const DEPENDENCIES = '**/node_modules/**'

/** What only a PostgreSQL server has: many connections, many processes, restarts. */
const POSTGRES_ONLY = 'test/service/postgres/**/*.test.ts'

/** What `npm test` runs on both databases: what many requests at a time share. */
const QUICK_ON_BOTH = ['test/service/data/idempotency.test.ts']

/** Tests of the service that PostgreSQL has no part in. */
const NOT_ON_POSTGRES = [
  // The embedded database itself: its lock, its template, its recovery by a process that is alone, also of its messages.
  'test/service/{data/store,store/packed-folder}.test.ts',
  'test/service/{data/crash,webhooks/lost-worker}.long.test.ts',
  'test/service/crash/disk-full.long.test.ts',
  // No database in them.
  'test/service/storage/{blob-store.long,s3-faults.long,presigned-addresses}.test.ts',
  // The memory of transfers: what is in the way of the bytes is the same on both.
  'test/service/storage/full-size-transfers.long.test.ts',
  // What is tested is in front of the database or behind it: any bytes as requests, counts in answers, traces, keys, modes of files.
  // The answers to requests: both databases are PostgreSQL and run the same statements. The specification itself is tested on both.
  'test/service/{generations,http,pages,security,telemetry}/**/*.test.ts',
  'test/service/datasets/!(seed-uploads).test.ts',
  'test/service/specification/decisions-*.long.test.ts',
  'test/service/storage/{cut-reads,enterprise-mode.long,temporary-credentials,write-hashed}.test.ts',
  'test/service/data-folder.long.test.ts',
  'test/service/storage/served-credentials.long.test.ts',
  'test/service/access/foreign-tokens.long.test.ts',
  'test/service/crash/{artifacts-fill-disk,plan-fills-disk}.long.test.ts',
  'test/service/data/{hostile-uploads,multi-select}.long.test.ts',
  'test/service/jobs/processes/*.test.ts',
  // Whose job is next is asked by the statements that `jobs/fair-turns` runs. Designs, weights and estimates are parts of records that
  // other uploads store and read.
  'test/service/data/{crowded-service,designs,estimates,parted-bytes,weights}.long.test.ts',
  // Conditions are one column of JSON, which `data/generations` and the specification store and read; what becomes of them is the
  // engine's. The name of a model is made beside the database.
  'test/service/data/{cells,means,names-of-properties,nearest-mix,quotes,share-bounds}.test.ts',
  'test/service/data/model-identity.long.test.ts',
  // No database in them, or none that is asked: settings, a clock, a message that is posted, files, pages, one large body.
  'test/service/{settings,clock/clocks,webhooks/post-message,storage/scratch-folder}.test.ts',
  'test/service/specification/{documents,largest-upload.long}.test.ts',
]

/**
 * Tests that need a process of their own: they replace a module of Node, or carry out command lines, which own the streams,
 * the environment and the folder of their process.
 */
const ALONE = [
  'test/base/clock.test.ts',
  'test/cli/access/secrets-of.test.ts',
  'test/cli/head.test.ts',
  'test/cli/json-faults.test.ts',
  'test/cli/options/shared-options.test.ts',
  'test/cli/steps/compare-budget.test.ts',
  'test/cli/wrong-input.test.ts',
]

const isPostgresMissing = !process.env.WHATIF_TEST_DATABASE_URL && 'missing' in findPostgres()

/** The service on the embedded database. */
const onEmbedded = { globalSetup: ['test/service/database-folder-setup.ts'] }

/** The service on PostgreSQL. Where there is none its tests are listed as skipped. */
const onPostgres = {
  globalSetup: ['test/service/postgres-setup.ts'],
  ...(isPostgresMissing && { runner: './test/service/skipping-runner.ts' }),
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Starting a process and loading the modules takes longer than most files' tests: the files of a project share two
    // processes, one file after another.
    isolate: false,
    // Tests start real servers, databases and child processes; two cores are the smallest machine we promise.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // What is waited for comes when it comes: a busy machine is no fault. Limits are there for what never comes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: [DEPENDENCIES, POSTGRES_ONLY, LONG, ...ALONE],
          sequence: { groupOrder: 1 },
          ...onEmbedded,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, isolate: true, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: {
          name: 'embedded-long',
          include: [LONG],
          exclude: [DEPENDENCIES, POSTGRES_ONLY],
          sequence: { groupOrder: 3 },
          ...onEmbedded,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [POSTGRES_ONLY, ...QUICK_ON_BOTH],
          exclude: [LONG],
          sequence: { groupOrder: 4 },
          ...onPostgres,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-long',
          include: ['test/service/**/*.test.ts'],
          exclude: ['test/service/postgres/!(*.long).test.ts', ...QUICK_ON_BOTH, ...NOT_ON_POSTGRES],
          sequence: { groupOrder: 5 },
          ...onPostgres,
        },
      },
    ],
  },
})
