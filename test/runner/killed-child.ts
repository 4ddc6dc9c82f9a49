import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
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

/** Compiles below node_modules, so that packages are found from there. */
export async function buildChild(): Promise<BuiltChild> {
  await mkdir(join(repository, 'node_modules/.cache'), { recursive: true })
  const built = await mkdtemp(join(repository, 'node_modules/.cache/run-child-'))
  const config = {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      allowImportingTsExtensions: false,
      rootDir: repository,
      outDir: join(built, 'js'),
    },
    include: [],
    files: [join(repository, 'test/runner/run-child.ts')],
  }
  await writeFile(join(built, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(built, 'package.json'), '{"type":"module"}')
  await cp(join(repository, 'schemas'), join(built, 'js/schemas'), { recursive: true })
  await promisify(execFile)(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', built])
  return {
    async run(rig, double, { atChange = 0, state, onStart } = {}) {
      const script = join(built, 'js/test/runner/run-child.js')
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
