import { defineConfig } from 'vitest/config'
import { findPostgres } from './test/service/postgres-cluster.ts'

/** What only a PostgreSQL server has: many connections, many processes, restarts. */
const POSTGRES_ONLY = 'test/service/postgres/**/*.test.ts'

/** The workspace of the generated client has its own, with tests of their own. */
const DEPENDENCIES = '**/node_modules/**'

const isPostgresMissing = !process.env.WHATIF_TEST_DATABASE_URL && 'missing' in findPostgres()

export default defineConfig({
  test: {
    pool: 'forks',
    // Tests start real servers, databases and child processes; two cores are the smallest machine we promise.
    maxWorkers: 2,
    // What is waited for comes when it comes: a busy machine is no fault. Limits are there for what never comes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'embedded', include: ['test/**/*.test.ts'], exclude: [DEPENDENCIES, POSTGRES_ONLY] },
      },
      {
        // The service once more, on PostgreSQL. Where there is none its tests are listed as skipped.
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/service/**/*.test.ts'],
          exclude: [
            DEPENDENCIES,
            // The embedded database itself: its lock, its template, its recovery by a process that is alone.
            'test/service/data/store.test.ts',
            'test/service/data/crash.test.ts',
            'test/service/http/start-service.test.ts',
            'test/service/crash/disk-full.test.ts',
            // No database in them.
            'test/service/storage/{blob-store,s3-faults,presigned-addresses}.test.ts',
            // The memory of transfers: what is in the way of the bytes is the same on both.
            'test/service/storage/full-size-transfers.test.ts',
            // No database in them: pages are made in memory.
            'test/service/pages/*.test.ts',
          ],
          globalSetup: ['test/service/postgres-setup.ts'],
          ...(isPostgresMissing && { runner: './test/service/skipping-runner.ts' }),
        },
      },
    ],
  },
})
