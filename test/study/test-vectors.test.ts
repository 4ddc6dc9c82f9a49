import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalBody } from '../../src/study/hashing/canonical-body.ts'
import {
  datasetFingerprint,
  manifestDigest,
  scenarioFingerprint,
  schemaSha256,
  studyDigest,
} from '../../src/study/hashing/fingerprint.ts'
import { datasetKeyHash, generationKeyHash, requestKey } from '../../src/study/hashing/request-key.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import type { Study } from '../../src/study/study.ts'
import { MATRIX, MATRIX_RESPELLED, MINIMAL } from './study-texts.ts'

/** Promises: a change of any value here breaks fingerprints and keys that people have stored. */

const FILE_SHA256 = 'c397ba6da5225cdbff0d80df1c869c1f943336ad8c25770d61f097ff4fba39af'
const DATASET = '32a9434aebd5a8e08c0a69f67167e43722d4ba5ac66b9340f7a07e36e4c71a0e'
const EPOCH_0 = { kind: 'epoch', epoch: 0 } as const

const MATRIX_VECTORS = [
  'status-quo           eb3f12e83c3c  wi1.gen.196a0929e2a22590df85b4e9cb948e7b.e0',
  'switch--north--high  ee514c78d3eb  wi1.gen.8440d1c554882a53e5a21b8a105b8177.e0',
  'switch--north--low   49482f092b8a  wi1.gen.fe88731ff17242f29923a648c46b6cbc.e0',
  'switch--north--mid   386cf84cb4f1  wi1.gen.737da58e21e22410356ef342ebe6d348.e0',
  'switch--south--low   970216ba2ffa  wi1.gen.c17e71fefbd4bc52723ef836bdb47042.e0',
  'switch--south--mid   0ef03d8f37d4  wi1.gen.95675b40806ff1d4b4cc2f43a7f33229.e0',
  'switch--stress       539926390b30  wi1.gen.f87b2593fb6c63a94d7167c99a0d6a20.e0',
]

function load(text: string): Study {
  const { study, diagnostics } = loadStudy(text, { filename: 'brand.study.yaml' })
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([])
  return study!
}

function key(body: string): string {
  return requestKey('gen', generationKeyHash({ datasetId: 'ds_EXAMPLE1', body }), EPOCH_0)
}

function lines(study: Study): string[] {
  return study.scenarios
    .map((s) => `${s.id.padEnd(21)}${scenarioFingerprint(DATASET, s).slice(0, 12)}  ${key(canonicalBody(s))}`)
    .sort()
}

describe('test vectors of the study language', () => {
  test('include the documented hash and fingerprint of the seed file', () => {
    expect(createHash('sha256').update('id,region\n1,North\n').digest('hex')).toBe(FILE_SHA256)
    expect(datasetFingerprint({ fileSha256: FILE_SHA256, autoClean: true })).toBe(DATASET)
  })

  test('include the documented body, fingerprint and key of the minimal study', () => {
    const scenario = load(MINIMAL).scenarios[0]!
    const body = canonicalBody(scenario)
    expect(body).toBe(
      '{"conditions":{"categorical":{"purchase.intent":{"Yes":0.7}}},"output_format":"parquet","row_count":1000,"seed":1}',
    )
    expect(scenarioFingerprint(DATASET, scenario)).toBe(
      'f5ec1d712a0b5b3853b00066c2698d80f0074b0fefc8b35db97fc2c850675a43',
    )
    expect(key(body)).toBe('wi1.gen.75021fc2890bdf8b0fc0db0b62499dd2.e0')
  })

  test('include the seven documented scenarios of the matrix study', () => {
    expect(lines(load(MATRIX))).toEqual(MATRIX_VECTORS)
  })

  test('include the same seven scenarios for a file with other spellings', () => {
    expect(lines(load(MATRIX_RESPELLED))).toEqual(MATRIX_VECTORS)
  })
})

describe('further test vectors', () => {
  test('include an upload key', () => {
    const hash = datasetKeyHash({ fileSha256: FILE_SHA256, autoClean: true, displayName: 'panel' })
    const input = `{"fields":{"auto_clean":"true","display_name":"panel"},"file_sha256":"${FILE_SHA256}","op":"createDataset","v":1}`
    expect(hash).toBe(createHash('sha256').update(input).digest('hex').slice(0, 32))
    expect(requestKey('ds', hash, EPOCH_0)).toMatchInlineSnapshot(`"wi1.ds.903dec15331cb3436974c6c2d334c22c.e0"`)
  })

  test('include a schema hash, whatever the order of columns and levels', () => {
    const region = { name: 'region', kind: 'categorical', levels: ['North', 'South', 'East', 'West'] } as const
    const age = { name: 'age', kind: 'numeric', min: 18, max: 90 } as const
    const when = { name: 'when', kind: 'numeric', min: '2024-01-01', max: '2024-12-31' } as const
    const other = { name: 'note', kind: 'unknown' } as const
    const input =
      '{"columns":[{"kind":"numeric","max":90,"min":18,"name":"age"},{"kind":"unknown","name":"note"},' +
      '{"kind":"categorical","levels":["East","North","South","West"],"name":"region"},' +
      '{"kind":"numeric","max":"2024-12-31","min":"2024-01-01","name":"when"}],"kind":"schema","v":1}'
    const hash = schemaSha256([region, age, when, other])
    expect(hash).toBe(createHash('sha256').update(input).digest('hex'))
    expect(hash).toMatchInlineSnapshot(`"2f73c128a9a2d60558e2bb08d3f872d2fd2dc3f5642cecdd100225a75b421b4e"`)
    expect(schemaSha256([other, when, age, { ...region, levels: region.levels.toReversed() }])).toBe(hash)
  })

  test('include a fingerprint of a dataset trained elsewhere', () => {
    expect(datasetFingerprint({ datasetId: 'ds_7Q2mXc', schemaSha256: FILE_SHA256 })).toBe(
      createHash('sha256')
        .update(`{"dataset_id":"ds_7Q2mXc","kind":"dataset","schema_sha256":"${FILE_SHA256}","v":1}`)
        .digest('hex'),
    )
    expect(datasetFingerprint({ datasetId: 'ds_7Q2mXc', schemaSha256: FILE_SHA256 })).toMatchInlineSnapshot(
      `"9a88b51bd2d02471ce52ac67dd161fd5526cd07b1a9687bc80a34beefd9ed67a"`,
    )
  })

  test('include a study digest', () => {
    const digest = (text: string) => studyDigest(load(text), new Map([['panel', DATASET]]))
    expect(digest(MATRIX)).toMatchInlineSnapshot(`"883aa1790a0206188809ddd90d88a726db74a1cc2e5ebbf57ec0b2cf2c1e2b22"`)
    expect(digest(MATRIX_RESPELLED)).toBe(digest(MATRIX))
  })

  test('include a manifest digest, which ignores the run and the trace', () => {
    const manifest = { manifest_version: 1, study: { name: 'a' }, scenarios: {}, run: { id: 'x' }, trace: { y: 1 } }
    expect(manifestDigest(manifest)).toBe(
      createHash('sha256').update('{"manifest_version":1,"scenarios":{},"study":{"name":"a"}}').digest('hex'),
    )
    expect(manifestDigest(manifest)).toMatchInlineSnapshot(
      `"c2684976746f6239497f0301251be216e677d8d1ad2a0bc1645df6bc625c66f6"`,
    )
    expect(manifestDigest({ ...manifest, run: null, trace: [] })).toBe(manifestDigest(manifest))
    expect(manifestDigest({ ...manifest, scenarios: { a: {} } })).not.toBe(manifestDigest(manifest))
  })
})
