import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as library from '../src/index.ts'
import {
  canonicalBody,
  DEFAULT_PLAN_OPTIONS,
  emptyState,
  evaluateGates,
  expand,
  fingerprint,
  generationKeyHash,
  loadStudy,
  parseManifest,
  plan,
  report,
  reportIn,
  requestKey,
  run,
} from '../src/index.ts'
import { makeRig, type Rig, STUDY } from './runner/run-rig.ts'
import { type ServiceDouble, startServiceDouble } from './runner/service-double.ts'

/** The names of the study language's section 13, through the package's entry. */

const FILE_SHA256 = 'c397ba6da5225cdbff0d80df1c869c1f943336ad8c25770d61f097ff4fba39af'
const MINIMAL = `version: 1
name: first-study
datasets: { panel: { file: seeds/panel.csv } }
scenarios:
  more-yes: { rows: 1000, seed: 1, shares: { purchase.intent: { "Yes": 0.70 } } }
`

function study(text = MINIMAL) {
  const { study: loaded, diagnostics } = loadStudy(text, { filename: 'first.study.yaml' })
  expect(diagnostics).toEqual([])
  return loaded!
}

describe('the library', () => {
  it('loads a study, or reports its faults with their places', () => {
    expect(study().name).toBe('first-study')
    const { study: none, diagnostics } = loadStudy(MINIMAL.replace('rows:', 'rowz:'), { filename: 'first.study.yaml' })
    expect(none).toBeNull()
    expect(diagnostics[0]).toMatchObject({ code: 'S1102', suggestions: ['rows'], range: { start: { line: 5 } } })
  })

  it('expands a study to its scenarios', () => {
    const axes = '{ axes: [{ name: size, set: [rows], values: { s: 10, l: 20 } }] }'
    const matrix = MINIMAL.replace('rows: 1000,', `matrix: ${axes},`)
    expect(expand(study(matrix)).map(({ id, rows }) => [id, rows])).toEqual([
      ['more-yes--s', 10],
      ['more-yes--l', 20],
    ])
  })

  it('gives body, fingerprints and key of the documented example', () => {
    const [scenario] = expand(study())
    const body = canonicalBody(scenario!)
    expect(body).toBe(
      '{"conditions":{"categorical":{"purchase.intent":{"Yes":0.7}}},"output_format":"parquet","row_count":1000,"seed":1}',
    )
    const dataset = { fileSha256: FILE_SHA256, autoClean: true }
    expect(fingerprint(dataset)).toBe('32a9434aebd5a8e08c0a69f67167e43722d4ba5ac66b9340f7a07e36e4c71a0e')
    expect(fingerprint(dataset, scenario!)).toBe('f5ec1d712a0b5b3853b00066c2698d80f0074b0fefc8b35db97fc2c850675a43')
    const hash = generationKeyHash({ datasetId: 'ds_EXAMPLE1', body })
    expect(requestKey('gen', hash, { kind: 'epoch', epoch: 0 })).toBe('wi1.gen.75021fc2890bdf8b0fc0db0b62499dd2.e0')
  })

  it('plans without any change on disk, and gives the same plan for the same input', () => {
    const input = {
      state: emptyState(),
      service: 'embedded',
      seedFiles: new Map([['panel', { sha256: FILE_SHA256, bytes: 18 }]]),
      files: new Map<string, string>(),
      pathOf: ({ id, format }: { id: string; format: string }) => `out/${id}.${format}`,
      now: Date.UTC(2026, 10, 20),
      options: DEFAULT_PLAN_OPTIONS,
    }
    const planned = plan(study(), input)
    expect(planned.totals).toMatchObject({ upload: 1, generate: 1, rowsBound: 1000 })
    expect(plan(study(), input)).toEqual(planned)
  })
})

describe('a run by the library', () => {
  let double: ServiceDouble
  let rig: Rig

  beforeEach(async () => {
    double = await startServiceDouble()
    rig = await makeRig(double, STUDY.replace('base: {}', 'base: { partial: accept, expect: { fill: { min: 0.9 } } }'))
  })

  afterEach(async () => {
    await rig.remove()
    await double.close()
  })

  it('returns the manifest that it has written, whose gates and reports follow from it alone', async () => {
    double.feasible = (body) => (body.conditions === undefined ? 60 : body.row_count)
    const { exitCode, manifest, digest } = await run(await rig.request(), rig.environment())
    expect(exitCode).toBe(9)
    const read = parseManifest(await rig.read('out/demo/manifest.json'))
    expect(read.digest).toBe(digest)

    const { gates } = evaluateGates(read.manifest)
    expect(gates.map(({ id, gate }) => [id, gate.id, gate.passed, gate.actual])).toEqual([['base', 'fill', false, 0.6]])
    expect(evaluateGates(manifest)).toEqual({ gates, partial: evaluateGates(read.manifest).partial })

    expect(report(manifest)).toContain(`manifest digest \`${digest}\``)
    expect(report(manifest, 'csv')).toContain(',base,,fill,,,fail_actual,0.6\n')
    expect(report(manifest, 'junit')).toContain('<failure')
    expect(report(read.manifest)).toBe(report(manifest))
    expect(await reportIn('de', manifest)).toContain(`Hashwert des Manifests \`${digest}\``)
    expect(await reportIn('zh', manifest, 'html')).toContain('<html lang="zh-Hans">')
    expect(await reportIn('en', manifest, 'html')).toBe(report(manifest, 'html'))
  })
})

describe('docs/library.md', () => {
  const root = resolve(import.meta.dirname, '..')
  const textOf = (path: string) => readFileSync(resolve(root, path), 'utf8')

  /** Name → the first sentence of its docstring, of all that `src/index.ts` exports, types too. */
  function exported(): Map<string, string> {
    const index = textOf('src/index.ts')
    const lists = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']*)'/gm)]
    const own = [...index.matchAll(/^export const (\w+)/gm)].map(([, name]): [string, string] => [name!, index])
    const others = lists.flatMap(([, names, path]) =>
      names!
        .split(',')
        .map((name) => name.trim().replace('type ', ''))
        .filter((name) => name !== '')
        .map((name): [string, string] => [name, textOf(`src/${path}`)]),
    )
    return new Map([...others, ...own].map(([name, text]) => [name, firstSentence(name, text)]))
  }

  function firstSentence(name: string, text: string): string {
    const docstring = String.raw`/\*\*((?:(?!\*/)[^])*)\*/`
    const declaration = `export (?:async |abstract )?(?:function|const|class|interface|type) ${name}\\b`
    const [, found = ''] = new RegExp(`${docstring}\n${declaration}`).exec(text) ?? []
    const words = found
      .replaceAll(/^\s*\* ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return words.replaceAll(/ \(study language, section [\d.]+\)/g, '').split(/(?<=\.) /)[0]!
  }

  it('lists what is exported, each by the first sentence of its docstring', () => {
    const [, listed = ''] = textOf('docs/library.md').split('## What is exported')
    const rows = new Map([...listed.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, line]) => [name!, line!]))
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(exported()))
    expect([...rows.keys()]).toEqual(expect.arrayContaining(Object.keys(library)))
  })

  it('lists names that are the same in the source', () => {
    expect(
      [...textOf('src/index.ts').matchAll(/^export (?:type )?\{[^}]* as [^}]*\}/gm)].map(([renaming]) => renaming),
    ).toEqual([])
  })
})
