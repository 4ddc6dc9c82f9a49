import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command-error.ts'

export const CI_SYSTEMS = ['github', 'gitlab'] as const
export type CiSystem = (typeof CI_SYSTEMS)[number]

/** The ready-made workflow of the package, and where the system looks for it in a project. */
const WORKFLOWS: Readonly<Record<CiSystem, { readonly example: string; readonly place: readonly string[] }>> = {
  github: { example: 'github/whatif.yml', place: ['.github', 'workflows', 'whatif.yml'] },
  gitlab: { example: 'gitlab/.gitlab-ci.yml', place: ['.gitlab-ci.yml'] },
}

/** The workflow to write, with its absolute path under the project root. */
export async function ciWorkflow(
  system: CiSystem,
  projectRoot: string,
): Promise<{ readonly path: string; readonly text: string }> {
  const { example, place } = WORKFLOWS[system]
  const source = new URL(`../../../examples/ci/${example}`, import.meta.url)
  try {
    return { path: join(projectRoot, ...place), text: await readFile(source, 'utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(2, `this installation has no examples/ci/${example} to copy (${code})`)
  }
}
