import { describe, expect, it } from 'vitest'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const SHA = 'AB'.repeat(32)
const load = (file: string) =>
  loadStudy(
    `version: 1\nname: n\ndatasets: { panel: { file: ${JSON.stringify(file)}, sha256: ${SHA} } }\nscenarios: { a: { rows: 1, seed: 1 } }\n`,
    { filename: 'n.study.yaml' },
  )

/** The texts are in `../diagnostics/4-datasets-and-names.txt`; here is what they do not show. */
describe('an object in a bucket as the file of a dataset', () => {
  it.each([
    ['s3://panels/wave-3.csv', { bucket: 'panels', key: 'wave-3.csv' }],
    ['s3://team.panels-1/2026/Welle 3 – März.csv', { bucket: 'team.panels-1', key: '2026/Welle 3 – März.csv' }],
    ['s3://panels/a%2e%2e/b#1.csv', { bucket: 'panels', key: 'a%2e%2e/b#1.csv' }],
  ])('%s is read as it is written', (file, object) => {
    const { study, diagnostics } = load(file)
    expect(diagnostics).toEqual([])
    expect(study?.datasets.get('panel')).toMatchObject({ kind: 'file', file, object, sha256: SHA.toLowerCase() })
  })

  it.each([
    's3://panels/a\u0000b.csv',
    's3://panels/a\nb.csv',
    's3://panels/./b.csv',
    's3://panels//b.csv',
    's3://panels/..',
    's3://panels/a\\b.csv',
    's3://Panels/b.csv',
    's3:/panels/b.csv',
    's3:panels/b.csv',
    's3://pa_nels/b.csv',
    's3a://panels/b.csv',
    'gs://panels/b.csv',
    'file:///etc/passwd',
  ])('%j is refused where it stands', (file) => {
    const { study, diagnostics } = load(file)
    expect(study).toBeNull()
    expect(diagnostics).toMatchObject([{ code: 'S1302', range: { start: { line: 3, column: 28 } } }])
  })

  it('is no place for results or margins', () => {
    const { diagnostics } = loadStudy(
      'version: 1\nname: n\ndatasets: { panel: { file: p.csv } }\nscenarios: { a: { rows: 1, seed: 1 } }\noutput: { dir: "s3://panels/out" }\n',
      { filename: 'n.study.yaml' },
    )
    expect(diagnostics).toMatchObject([{ code: 'S1302', summary: 'path "s3://panels/out" is an address' }])
  })
})
