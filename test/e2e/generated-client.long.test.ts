import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trackerFile } from '../cli/project-folder.ts'
import { compile, makeClient, run, WAYS_AROUND_TYPES, workspaceFile } from './generated.ts'
import { OPERATOR_TOKEN, type Served, serve } from './served.ts'

let served: Served
let made: string

beforeAll(async () => {
  served = await serve()
  await makeClient(served, 'make-types.js', 'service.ts', ['walk.ts'])
  made = await served.project.read('service.ts')
})
afterAll(() => served?.stop())

describe('a client that openapi-typescript makes from /openapi.json', () => {
  it('has types for every path, which are complete where the document has a schema', async () => {
    const { paths } = (await (await fetch(`${served.baseUrl}/openapi.json`)).json()) as { paths: object }
    for (const path of Object.keys(paths)) expect(made).toContain(`"${path}": {`)
    const open = [...made.matchAll(/^ *"?([^\s"?:]+)"?\??: (?:unknown|any|never\[\]);/gm)].map((match) => match[1])
    expect([...new Set(open)].sort()).toEqual([
      'application/octet-stream',
      'application/vnd.apache.arrow.file',
      'application/vnd.apache.parquet',
      'text/csv',
    ])
  })

  it('walks from signup to download, type-checked, and receives the faults of a request', async () => {
    // The walk must not avoid the types.
    expect((await workspaceFile('walk.ts')).match(WAYS_AROUND_TYPES)).toBe(null)
    await compile(served, 'tsconfig.json')
    const words = await run(served, served.project.path('made/walk.js'), [], {
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

  it('does not compile with a path, a field, a type or a state that is not in the document', async () => {
    const wrong = [
      ["'/v1/datasets/{dataset_id}/schema'", "'/v1/datasets/{dataset_id}/schemas'"],
      ['seed: 7,', 'seeds: 7,'],
      ['row_count: 10,', "row_count: '10',"],
      ["case 'queued':", "case 'waiting':"],
      ["region.type === 'categorical'", "region.type === 'numeric'"],
      ['auto_clean: true,', "auto_clean: 'true',"],
    ] as const
    let text = await workspaceFile('walk.ts')
    for (const [right, fault] of wrong) {
      expect(text).toContain(right)
      text = text.replace(right, fault)
    }
    await served.project.write('walk.ts', text)
    const refusal = await compile(served, 'tsconfig.json', '--noEmit').catch(String)
    const faulty = new Set([...String(refusal).matchAll(/^walk\.ts\((\d+),/gm)].map((match) => Number(match[1]) - 1))
    const lines = text.split('\n')
    for (const [, fault] of wrong) {
      expect([fault, [...faulty].some((line) => lines[line]?.includes(fault))]).toEqual([fault, true])
    }
  })
})
