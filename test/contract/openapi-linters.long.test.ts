import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/contract/openapi/openapi.ts'

const script = resolve(import.meta.dirname, '../../scripts/lint-openapi.js')
const folder = mkdtempSync(join(tmpdir(), 'whatif-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The findings of both linters on a document, as CI shows them. */
function lint(document: unknown): { status: number | null; lines: string[] } {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return { status, lines: stdout.trimEnd().split('\n') }
}

describe('the OpenAPI document before public linters', () => {
  it.each([
    ['one origin', { baseUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080' }],
    ['an identity provider elsewhere', { baseUrl: 'https://data.test/synthetic', authUrl: 'https://identity.test' }],
  ])('has no error and no warning, with %s', (_name, addresses) => {
    const { status, lines } = lint(buildOpenApi(addresses))
    expect(lines).toEqual([
      'redocly lint (recommended): 0 errors, 0 warnings, 0 findings in all',
      'spectral lint (spectral:oas): 0 errors, 0 warnings, 0 findings in all',
    ])
    expect(status).toBe(0)
  })

  it('fails with a fault that each of them reports', () => {
    const document = buildOpenApi({ baseUrl: 'https://data.test', authUrl: 'https://data.test' })
    const { contact: _contact, ...info } = document.info as Record<string, unknown>
    const { license: _license, ...rest } = info
    const { status, lines } = lint({ ...document, info: rest })
    expect(status).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^redocly lint .*: 0 errors, 1 warnings/),
      expect.stringContaining('warning info-license at #/info'),
      expect.stringMatching(/^spectral lint .*: 0 errors, 1 warnings/),
      expect.stringContaining('warning info-contact at #/info'),
    ])
  })
})
