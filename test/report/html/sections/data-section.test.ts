import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import type { ModelQuality } from '../../../../src/records/manifest/model-quality.ts'
import { dataSection } from '../../../../src/report/html/sections/data-section.ts'
import { exampleManifest } from '../../../answers/example-manifest.ts'
import { bodyOf, reading, rowsOf, tipsOf } from '../matrix-manifest.ts'

const textOf = (manifest: Manifest) => bodyOf(dataSection(reading(manifest)))

function withQuality(quality: ModelQuality): Manifest {
  const manifest = exampleManifest()
  manifest.datasets.panel = { ...manifest.datasets.panel!, quality }
  return manifest
}

const QUALITY: ModelQuality = {
  training_rows: 800,
  held_out_rows: 200,
  column_shapes: { mean: 0.95, reference: 0.97, worst: [] },
  correlations: { slope: 0.8, low: 0.7, high: 0.9, pairs: 10 },
  c2st: { auc: 0.52, chance: 0.03, rows: 200 },
  copies: { share: 0.001, reference: 0 },
  rare_numbers: { columns: 2, rows: 12 },
  membership: { queries: 100, at: [{ rows_per_row: 10, auc: 0.58, chance: 0.05, told: 0.06, told_chance: 0.03 }] },
  not_measured: [{ figure: 'item_blocks', reason: 'No columns share a scale.' }],
}

describe('the section on data and model', () => {
  it('states rows and columns before and after cleaning, and why columns are left out', () => {
    const manifest = exampleManifest()
    const { panel } = manifest.datasets
    const dropped_columns = [
      { name: 'id', reason: 'identifier' },
      { name: 'mail', reason: 'identifier' },
      { name: 'note', reason: 'free_text' },
      { name: 'other', reason: 'not_our_word' },
    ]
    manifest.datasets.panel = { ...panel!, cleaning: { ...panel!.cleaning!, dropped_columns } }
    const text = textOf(manifest).replaceAll(/<[^>]*>/g, '')
    expect(text).toContain('It has 50,000 rows and 31 columns; cleaning keeps 49,200 rows and 24 columns.')
    expect(text).toContain('Cleaning left out 4 columns:')
    expect(text).toContain('id, mail: each names single rows or people.')
    expect(text).toContain('note: it is free text.')
    expect(text).toContain('other: it not our word.')
    expect(text).toContain('The service does not report the quality of the model.')
  })

  it('draws each figure of the model beside its reference, with the same figures in its table', () => {
    const text = textOf(withQuality(QUALITY))
    expect(tipsOf(text)).toEqual([
      'Shapes of columns: 0.950, other real rows 0.970',
      'Strength of 10 correlations: 0.80, 95 % 0.70 to 0.90; real rows 1',
      'Distinguished from real rows: 0.520, AUC; 0.5 ± 0.030 by chance',
      'Exact copies of rows trained on: 0.10 %, other real rows 0.00 %',
      'With a number of fewer than 10 seed rows: 12 rows, rows trained on: under 10 rows',
      'Attack on members, N = 10 n: 0.580, AUC; 0.5 ± 0.050 by chance',
    ])
    expect(
      rowsOf(text)
        .slice(1)
        .map(([title, value, against]) => `${title}: ${value}, ${against}`),
    ).toEqual(tipsOf(text))
    expect(text).toContain('1 of 3 figures have their reference, the stroke, within the band of chance')
    expect(text).toContain('Not measured: item blocks. <bdi>No columns share a scale.</bdi>')
  })

  it('says which figures are unknown', () => {
    const manifest = exampleManifest()
    manifest.datasets.panel = { ...manifest.datasets.panel!, source: null, cleaning: null, quality: {} }
    const text = textOf(manifest)
    expect(text).toContain('The model was trained earlier.')
    expect(text).toContain('The service does not report what cleaning did.')
    expect(text).not.toContain('<svg')
    expect(dataSection(reading({ ...manifest, datasets: {} }))).toBeNull()
  })

  it('says in five sentences what synthetic rows do not promise', () => {
    const [, list = ''] = textOf(exampleManifest()).split('do not promise')
    expect(list.match(/<li>/g)).toHaveLength(5)
  })
})
