import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of the bench to its end. */
export function benchCommand(name: string): (args: readonly string[]) => Promise<Outcome> {
  const command = fileURLToPath(new URL(`../../bench/${name}`, import.meta.url))
  return (args) =>
    new Promise((done) => {
      const child = execFile(process.execPath, [command, ...args], (_, stdout, stderr) => {
        done({ code: child.exitCode ?? -1, stdout, stderr })
      })
    })
}

/** A folder of the shared bench; it need not be there. */
export const sharedBench = (path: string): string =>
  fileURLToPath(new URL(`../../../shared/bench/${path}`, import.meta.url))

/** Whether a shared program is there, and Python with the modules that it scores with. */
export async function canScore(program: string, modules: readonly string[]): Promise<boolean> {
  if (!existsSync(program)) return false
  return promisify(execFile)('/usr/bin/python3', ['-c', `import ${modules.join(', ')}`]).then(
    () => true,
    () => false,
  )
}

/** A folder for the tests of a `describe`; its path is known once they run. */
export function benchFolder(): { readonly path: () => string; readonly at: (name: string) => string } {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whatif-bench-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return { path: () => folder, at: (name) => join(folder, name) }
}

/** Flags that cannot be read: what is said, then the usage, and nothing on stdout. */
export function testUsageFaults(
  run: (args: readonly string[]) => Promise<Outcome>,
  usage: string,
  faults: readonly { readonly args: readonly string[]; readonly message: string }[],
): void {
  it.each(faults)('reports the fault of $args', async ({ args, message }) => {
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toContain(message)
    expect(stderr).toContain(usage)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
}
