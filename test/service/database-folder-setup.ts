import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the embedded databases that test files share; it is removed when all have ended. */
    databaseFolder: string
  }
}

/** The processes of the tests end without a word, so what they share is removed here. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-databases-'))
  project.provide('databaseFolder', folder)
  return async () => await rm(folder, { recursive: true, force: true })
}
