import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'
import { JobFailedError } from '../../src/service/jobs/processes/job-failed-error.ts'
import { WorkProcesses } from '../../src/service/jobs/processes/process-pool.ts'
import { ProcessDeathError } from '../../src/service/jobs/processes/work-process.ts'

export type Reading =
  | {
      readonly rows: number
      readonly columns: readonly string[]
      readonly notes: readonly string[]
      readonly peakMib: number
    }
  | { readonly refused: string; readonly peakMib: number }
  /** The process died of it, or the reader threw what it should not: the limit passed, or the fault. */
  | { readonly died: string }

interface ReadTask {
  readonly path: string
  readonly tempDir: string
  readonly cpuMs: number
}

/** Reads files in a process of their own, as the service does, so that nothing a file does is able to end the tests. */
export function readingProcess(limits: { readonly memoryBytes: number; readonly cpuMs: number }): {
  read(path: string, tempDir: string): Promise<Reading>
} {
  const entry = pathToFileURL(join(import.meta.dirname, 'reading-worker.js'))
  const processes = new WorkProcesses<ReadTask, Exclude<Reading, { died: string }>>(entry, limits)
  afterAll(async () => await processes.close())
  return {
    async read(path, tempDir) {
      const control = { signal: new AbortController().signal, onProgress: () => undefined }
      try {
        return await processes.run({ path, tempDir, cpuMs: limits.cpuMs }, control)
      } catch (error) {
        if (error instanceof ProcessDeathError) return { died: error.deathCause }
        if (error instanceof JobFailedError) return { died: String(error.cause) }
        throw error
      }
    },
  }
}
