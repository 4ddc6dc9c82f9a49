import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { ObjectStorage } from '../../src/objects/object-storage.ts'
import type { Rig } from './run-rig.ts'
import { SECRET_CANARY, type ServiceDouble } from './service-double.ts'

const repository = resolve(import.meta.dirname, '../..')

export interface ChildOptions {
  /** Change of the disk at which the child kills itself. */
  readonly atChange?: number
  /** Where its state lives; absent: on the disk of the rig. */
  readonly state?: ObjectStorage
  /** Called once the child runs. */
  readonly onStart?: (kill: () => void) => void
}

export interface ChildEnd {
  /** Null when it was killed. */
  readonly code: number | null
  /** Changes of the disk that it made; null when it was killed. */
  readonly changes: number | null
}

/** `run-child.ts` as plain JavaScript, to be run in processes of its own. */
export interface BuiltChild {
  /** One run of the rig's study, in a process that can be killed. */
  run(rig: Rig, double: ServiceDouble, options?: ChildOptions): Promise<ChildEnd>
  remove(): Promise<void>
}

/** Bundles below node_modules, so that packages are found from there: a child that loads one file starts sooner. */
export async function buildChild(): Promise<BuiltChild> {
  await mkdir(join(repository, 'node_modules/.cache'), { recursive: true })
  const built = await mkdtemp(join(repository, 'node_modules/.cache/run-child-'))
  // As deep as `src/base` and `src/study/shape` lie, whose modules look for the files of the package from where they are.
  const folder = join(built, 'package/dist/bundle')
  await cp(join(repository, 'package.json'), join(built, 'package/package.json'))
  await cp(join(repository, 'schemas'), join(built, 'schemas'), { recursive: true })
  const bundle = await rolldown({
    input: { 'run-child': join(repository, 'test/runner/run-child.ts') },
    platform: 'node',
    cwd: repository,
    external: (id) => !/^(?:\.|\/|[A-Za-z]:)/.test(id),
  })
  await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  return {
    async run(rig, double, { atChange = 0, state, onStart } = {}) {
      const script = join(folder, 'run-child.js')
      const args = [script, rig.root, double.url, SECRET_CANARY, String(atChange)]
      if (state !== undefined) args.push(JSON.stringify(state))
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      onStart?.(() => child.kill('SIGKILL'))
      const code = await new Promise<number | null>((done) => child.on('close', done))
      return { code, changes: code === null ? null : Number(output) }
    },
    remove: () => rm(built, { recursive: true, force: true }),
  }
}
