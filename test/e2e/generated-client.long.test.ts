import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnvironment, trackerFile } from '../cli/project-folder.ts'
import { OPERATOR_TOKEN, type Served, serve } from './served.ts'

const repository = resolve(import.meta.dirname, '../..')
const workspace = join(repository, 'test/generated-client')
/** TypeScript 5: the generator makes types with its compiler, and checks are those of its users. */
const tsc = join(dirname(createRequire(join(workspace, 'package.json')).resolve('typescript/package.json')), 'bin/tsc')

let served: Served
let made: string

beforeAll(async () => {
  served = await serve()
  await run(join(workspace, 'make-types.js'), [`${served.baseUrl}/openapi.json`, served.project.path('service.ts')])
  made = await served.project.read('service.ts')
  await symlink(join(repository, 'node_modules'), served.project.path('node_modules'))
  for (const name of ['walk.ts', 'tsconfig.json', 'package.json']) {
    await served.project.copy(join(workspace, name), name)
  }
})
afterAll(() => served?.stop())

/** Runs a script of Node's; rejects with what it wrote when it fails. */
async function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: served.project.root, env: { ...cleanEnvironment(), ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], options).catch((error) => {
    throw new Error(`${script} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

describe('a client generated from /openapi.json', () => {
  it('has types for every path, with nothing left open but what has no schema', async () => {
    const { paths } = (await (await fetch(`${served.baseUrl}/openapi.json`)).json()) as { paths: object }
    for (const path of Object.keys(paths)) expect(made).toContain(`"${path}": {`)
    const open = [...made.matchAll(/^ *"?([^\s"?:]+)"?\??: (?:unknown|any|never\[\]);/gm)].map((match) => match[1])
    expect([...new Set(open)].sort()).toEqual([
      'application/vnd.apache.arrow.file',
      'application/vnd.apache.parquet',
      'text/csv',
    ])
  })

  it('walks from signup to download, type-checked, and is told what is wrong with a request', async () => {
    // No way around the types.
    const text = await readFile(join(workspace, 'walk.ts'), 'utf8')
    expect(text.match(/\bas (?:any|never|unknown|[A-Z{(])|: any\b|@ts-|<unknown>/)).toBe(null)
    await run(tsc, ['-p', 'tsconfig.json'])
    const words = await run(served.project.path('made/walk.js'), [], {
      BASE_URL: served.baseUrl,
      OPERATOR_TOKEN,
      SEED_FILE: trackerFile,
    })
    expect(words.split('\n').map((line) => line.split(':')[0])).toEqual([
      'access',
      'trained',
      'downloaded',
      'refused',
      'deleted',
      '',
    ])
  })

  it('is not compiled with a path, a field, a type or a state that is not in the document', async () => {
    const wrong = [
      ["'/v1/datasets/{dataset_id}/schema'", "'/v1/datasets/{dataset_id}/schemas'"],
      ['seed: 7,', 'seeds: 7,'],
      ['row_count: 10,', "row_count: '10',"],
      ["case 'queued':", "case 'waiting':"],
    ] as const
    let text = await readFile(join(workspace, 'walk.ts'), 'utf8')
    for (const [right, fault] of wrong) {
      expect(text).toContain(right)
      text = text.replace(right, fault)
    }
    await served.project.write('walk.ts', text)
    const refusal = await run(tsc, ['-p', 'tsconfig.json', '--noEmit', '--pretty', 'false']).catch(String)
    const faulty = new Set([...refusal.matchAll(/^walk\.ts\((\d+),/gm)].map((match) => Number(match[1]) - 1))
    const lines = text.split('\n')
    for (const [, fault] of wrong) {
      expect([fault, [...faulty].some((line) => lines[line]?.includes(fault))]).toEqual([fault, true])
    }
  })
})
