import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorSecrets, serviceSecrets } from '../../../src/cli/access/service-secrets.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-secrets-'))
  await writeFile(join(folder, 'token'), 'token of a file\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the secrets that whatif serve is given', () => {
  it.each<[string, Record<string, string>, readonly string[]]>([
    ['none', {}, []],
    ['a token', { WHATIF_OPERATOR_TOKEN: 'canary' }, ['canary']],
    [
      'a database with a password, which is one alone as well',
      { DATABASE_URL: 'postgres://user:p%40ss@db/whatif' },
      ['postgres://user:p%40ss@db/whatif', 'p%40ss', 'p@ss'],
    ],
    [
      'a password that is no percent-encoding',
      { DATABASE_URL: 'postgres://user:50%@db/whatif' },
      ['postgres://user:50%@db/whatif', '50%'],
    ],
    ['the chain of AWS', { AWS_SECRET_ACCESS_KEY: 'canary', AWS_SESSION_TOKEN: 'bird' }, ['canary', 'bird']],
    ['a database without a password', { DATABASE_URL: 'postgres://db/whatif' }, ['postgres://db/whatif']],
  ])('are those of %s', (_, env, secrets) => {
    expect(serviceSecrets({}, env)).toEqual(secrets)
  })

  it('are read from their files, and a missing file holds none', () => {
    expect(serviceSecrets({}, { WHATIF_OPERATOR_TOKEN_FILE: join(folder, 'token') })).toEqual(['token of a file'])
    expect(serviceSecrets({}, { WHATIF_OPERATOR_TOKEN_FILE: join(folder, 'none') })).toEqual([])
  })
})

it('the secret that whatif operator is given is its token', () => {
  const token = 'canary-of-an-operator'
  expect(operatorSecrets({}, { WHATIF_OPERATOR_TOKEN: token })).toEqual([token])
  expect(operatorSecrets({ data: folder }, {})).toEqual([])
})
