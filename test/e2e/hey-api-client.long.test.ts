import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trackerFile } from '../cli/project-folder.ts'
import { compile, makeClient, run, WAYS_AROUND_TYPES, workspaceFile } from './generated.ts'
import { OPERATOR_TOKEN, type Served, serve } from './served.ts'

const PROJECT = 'tsconfig.hey.json'

let served: Served

beforeAll(async () => {
  served = await serve()
  await makeClient(served, 'make-hey-api.js', 'service', ['hey-walk.ts', PROJECT])
})
afterAll(() => served?.stop())

describe('a client that @hey-api/openapi-ts makes from /openapi.json', () => {
  it('has a call for every operation of the document, and none for a page', async () => {
    const { paths } = (await (await fetch(`${served.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    const made = await served.project.read('service/sdk.gen.ts')
    expect([...made.matchAll(/^export const (\w+) = </gm)].map((match) => match[1]).sort()).toEqual(ids.sort())
  })

  it('walks from signup to download, compiled strict, with a boolean for auto_clean and columns distinguished by type', async () => {
    expect((await workspaceFile('hey-walk.ts')).match(WAYS_AROUND_TYPES)).toBe(null)
    await compile(served, PROJECT)
    const words = await run(served, served.project.path('made/hey-walk.js'), [], {
      BASE_URL: served.baseUrl,
      OPERATOR_TOKEN,
      SEED_FILE: trackerFile,
    })
    expect(words.split('\n').map((line) => line.split(':')[0])).toEqual([
      'access',
      'trained',
      'downloaded',
      'deleted',
      '',
    ])
  })

  it('does not compile with a field of the other column type, or a word instead of the boolean', async () => {
    let text = await workspaceFile('hey-walk.ts')
    const wrong = [
      ["if (column.type !== 'categorical')", "if (column.type !== 'numeric')", 'return column.levels'],
      ['auto_clean: true', "auto_clean: 'true'", "auto_clean: 'true'"],
    ] as const
    for (const [right, fault] of wrong) {
      expect(text).toContain(right)
      text = text.replace(right, fault)
    }
    await served.project.write('hey-walk.ts', text)
    const refusal = await compile(served, PROJECT, '--noEmit').catch(String)
    const lines = text.split('\n')
    const faulty = [...String(refusal).matchAll(/^hey-walk\.ts\((\d+),/gm)].map((match) => lines[Number(match[1]) - 1])
    for (const [, , place] of wrong) {
      expect([place, faulty.some((line) => line?.includes(place))]).toEqual([place, true])
    }
  })
})
