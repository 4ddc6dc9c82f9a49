import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../cli/project-folder.ts'
import type { Served } from './served.ts'

const repository = resolve(import.meta.dirname, '../..')
const workspace = join(repository, 'test/generated-client')
/** TypeScript 5: the generators make types with its compiler, and checks are those of their users. */
const compiler = join(
  dirname(createRequire(join(workspace, 'package.json')).resolve('typescript/package.json')),
  'bin/tsc',
)

/** Makes a client of the service in the project's folder by a script of the workspace, beside the files that use it. */
export async function makeClient(
  served: Served,
  script: string,
  target: string,
  files: readonly string[],
): Promise<void> {
  await run(served, join(workspace, script), [`${served.baseUrl}/openapi.json`, served.project.path(target)])
  await symlink(join(repository, 'node_modules'), served.project.path('node_modules'))
  for (const name of [...files, 'tsconfig.json', 'package.json']) {
    await served.project.copy(join(workspace, name), name)
  }
}

/** The text of a file of the workspace. */
export async function workspaceFile(name: string): Promise<string> {
  return await readFile(join(workspace, name), 'utf8')
}

/** Compiles a project of TypeScript; rejects with what the compiler found. */
export async function compile(served: Served, project: string, ...options: string[]): Promise<void> {
  await run(served, compiler, ['-p', project, '--pretty', 'false', ...options])
}

/** Runs a script by Node in the project's folder; rejects with what it wrote when it fails. */
export async function run(
  served: Served,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd: served.project.root, env: { ...cleanEnvironment(), ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], options).catch((error) => {
    throw new Error(`${script} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

/** Code that avoids the types. */
export const WAYS_AROUND_TYPES = /\bas (?:any|never|unknown|[A-Z{(])|: any\b|@ts-|<unknown>/
