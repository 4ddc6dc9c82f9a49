import { describe, expect, test } from 'vitest'
import {
  datasetKeyHash,
  generationKeyHash,
  requestKey,
  type Scope,
  scopeText,
} from '../../../src/study/hashing/request-key.ts'

const HASH = '75021fc2890bdf8b0fc0db0b62499dd2'
const UPLOAD = { fileSha256: 'a'.repeat(64), autoClean: true, displayName: 'panel' }

describe('a request key', () => {
  test.each<[Scope, string]>([
    [{ kind: 'epoch', epoch: 0 }, 'e0'],
    [{ kind: 'epoch', epoch: 12 }, 'e12'],
    [{ kind: 'label', label: '2026-11-20', epoch: 0 }, 'x2026-11-20'],
    [{ kind: 'label', label: '2026-11-20', epoch: 3 }, 'x2026-11-20.e3'],
    [{ kind: 'label', label: 'e0', epoch: 0 }, 'xe0'],
  ])('has the scope %j as %s', (scope, text) => {
    expect(scopeText(scope)).toBe(text)
    expect(requestKey('gen', HASH, scope)).toBe(`wi1.gen.${HASH}.${text}`)
    expect(requestKey('ds', HASH, scope)).toMatch(/^[A-Za-z0-9._:-]{1,128}$/)
  })

  test.each<[string, () => unknown]>([
    ['a label with a dot', () => scopeText({ kind: 'label', label: 'a.e1', epoch: 0 })],
    ['an empty label', () => scopeText({ kind: 'label', label: '', epoch: 0 })],
    ['a long label', () => scopeText({ kind: 'label', label: 'a'.repeat(49), epoch: 0 })],
    ['a negative epoch', () => scopeText({ kind: 'epoch', epoch: -1 })],
    ['a broken epoch', () => scopeText({ kind: 'epoch', epoch: 0.5 })],
    ['a whole SHA-256', () => requestKey('gen', 'a'.repeat(64), { kind: 'epoch', epoch: 0 })],
    ['capitals', () => requestKey('gen', HASH.toUpperCase(), { kind: 'epoch', epoch: 0 })],
  ])('is not made of %s', (_, make) => {
    expect(make).toThrow(TypeError)
  })

  test.each([
    ['the file', { ...UPLOAD, fileSha256: 'b'.repeat(64) }],
    ['cleaning', { ...UPLOAD, autoClean: false }],
    ['the display name', { ...UPLOAD, displayName: 'other' }],
    ['the column of weights', { ...UPLOAD, weightColumn: 'w' }],
    ['the survey design', { ...UPLOAD, design: '{"clusters":"psu"}' }],
  ])('of an upload changes with %s', (_, upload) => {
    expect(datasetKeyHash(upload)).not.toBe(datasetKeyHash(UPLOAD))
  })

  test('of an upload without a survey design stays what it was before there were any', () => {
    // Promises: a change of these makes people train their models again.
    expect(datasetKeyHash({ ...UPLOAD, design: undefined })).toBe(datasetKeyHash(UPLOAD))
    expect(datasetKeyHash(UPLOAD)).toBe('c3fdc03f373e240ca24448320c623fd2')
    expect(datasetKeyHash({ ...UPLOAD, weightColumn: 'w' })).toBe('3e34a1fe63daa4e8d6c580478865514b')
  })

  test('of a generation changes with the body and with the dataset', () => {
    const hash = generationKeyHash({ datasetId: 'ds_1', body: '{"seed":1}' })
    expect(generationKeyHash({ datasetId: 'ds_2', body: '{"seed":1}' })).not.toBe(hash)
    expect(generationKeyHash({ datasetId: 'ds_1', body: '{"seed":2}' })).not.toBe(hash)
    expect(hash).toMatch(/^[0-9a-f]{32}$/)
  })
})
