import type { TestProject } from 'vitest/node'
import { findPostgres, PostgresCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a PostgreSQL server for tests to make their databases on; absent: they use PGlite. */
    postgresUrl?: string
  }
}

/** Starts the server of the project `postgres`, or takes the one that WHATIF_TEST_DATABASE_URL names. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.WHATIF_TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return undefined
  }
  const found = findPostgres()
  if ('missing' in found) {
    process.stderr.write(`\nThe service is not tested on PostgreSQL: ${found.missing}.\n\n`)
    return undefined
  }
  const cluster = await PostgresCluster.start(found.binaries)
  project.provide('postgresUrl', cluster.url())
  return async () => await cluster.remove()
}
