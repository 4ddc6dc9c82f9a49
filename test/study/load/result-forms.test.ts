import { describe, expect, test } from 'vitest'
import { canonicalBody } from '../../../src/study/hashing/canonical-body.ts'
import { scenarioFingerprint, studyDigest } from '../../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import type { Study } from '../../../src/study/study.ts'

const HEAD = 'version: 1\nname: test\ndatasets: { panel: { file: panel.csv } }\n'

function load(rest: string): Study {
  const { study, diagnostics } = loadStudy(HEAD + rest, { filename: 'x.study.yaml' })
  expect(diagnostics).toEqual([])
  return study!
}

const one = (format: string, more = '') =>
  load(`defaults: { rows: 100, seed: 1, format: ${format} }\nscenarios: { a: {} }\n${more}`)

describe('the form of results', () => {
  test('is that of the artifact if the study states no other', () => {
    expect(one('csv').scenarios[0]).not.toHaveProperty('form')
    expect(one('csv', 'output: { names: cleaned }').scenarios[0]).not.toHaveProperty('form')
  })

  test('may be SPSS made from Parquet', () => {
    const [scenario] = one('sav').scenarios
    expect(scenario).toMatchObject({ format: 'parquet', form: { format: 'sav', names: 'cleaned' } })
  })

  test.each(['csv', 'parquet', 'arrow'])('is %s with the names of the seed file', (format) => {
    const [scenario] = one(format, 'output: { names: original }').scenarios
    expect(scenario).toMatchObject({ format, form: { format, names: 'original' } })
  })

  test('has cells of CSV that begin like a formula escaped, and of no other format', () => {
    const escaping = 'output: { formulas: escape }'
    expect(one('csv', escaping).scenarios[0]).toMatchObject({
      format: 'csv',
      form: { format: 'csv', names: 'cleaned', escapesFormulas: true },
    })
    expect(one('csv', 'output: { formulas: keep }').scenarios[0]).not.toHaveProperty('form')
    expect(one('parquet', escaping).scenarios[0]).not.toHaveProperty('form')
    const [plain, escaped] = [one('csv'), one('csv', escaping)].map(({ scenarios }) => scenarios[0]!)
    expect(canonicalBody(escaped!)).toBe(canonicalBody(plain!))
    expect(scenarioFingerprint('d', escaped!)).toBe(scenarioFingerprint('d', plain!))
  })

  test('changes no request, fingerprint or digest', () => {
    const plain = one('parquet')
    for (const study of [
      one('sav'),
      one('sav', 'output: { names: original }'),
      one('parquet', 'output: { names: original }'),
    ]) {
      const [scenario] = study.scenarios
      expect(canonicalBody(scenario!)).toBe(canonicalBody(plain.scenarios[0]!))
      expect(scenarioFingerprint('d', scenario!)).toBe(scenarioFingerprint('d', plain.scenarios[0]!))
      const datasets = new Map([['panel', 'd']])
      expect(studyDigest(study, datasets)).toBe(studyDigest(plain, datasets))
    }
  })

  test('may be set by an axis; SPSS and Parquet share one generation', () => {
    const axis = (values: string) =>
      `defaults: { rows: 100, seed: 1 }\nscenarios:\n  g: { matrix: { axes: [{ name: f, set: [format], values: ${values} }] } }\n`
    const { scenarios } = load(axis('{ p: parquet, s: sav }'))
    expect(scenarios.map(({ format, form }) => [format, form?.format])).toEqual([
      ['parquet', undefined],
      ['parquet', 'sav'],
    ])
    const { diagnostics } = loadStudy(HEAD + axis('{ c: csv, s: sav }'), { filename: 'x.study.yaml' })
    expect(diagnostics.map(({ code }) => code)).toEqual(['W4201'])
  })
})
