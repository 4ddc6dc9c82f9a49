import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { expect, test } from 'vitest'
import { manifestSchema } from './manifest-validator.ts'

const GENERATED_URL = new URL('../../src/manifest/manifest-shape-validator.ts', import.meta.url)

const HEADER = `// Generated from schemas/manifest.v1.json by Ajv: \`npx vitest run test/manifest/manifest-shape-validator.test.ts -u\`. Do not edit.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
// @ts-nocheck
`

/** Ajv's own function for the length of text in code points, the only thing that its code would load. */
const CODE_POINTS = 'const codePoints = (text) => { let count = 0; for (const _ of text) count++; return count }'

function generateValidator(): string {
  // The first fault is told; a hostile file must not make a list of millions. Times are printed and never read.
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    validateFormats: false,
    code: { source: true, esm: true, lines: true },
  })
  ajv.addSchema({ ...manifestSchema, $id: 'manifest' })
  const body = standalone
    .default(ajv, { validateManifest: 'manifest' })
    .replace(/^"use strict";\n?/, '')
    .replace(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'codePoints')
  return `${HEADER}${CODE_POINTS}\n${body}`
}

test('the validator is the one that Ajv makes of the published schema', async () => {
  await expect(generateValidator()).toMatchFileSnapshot(GENERATED_URL.pathname)
})

test('the validator loads nothing', () => {
  expect(generateValidator()).not.toMatch(/\brequire\(|^import /m)
})
