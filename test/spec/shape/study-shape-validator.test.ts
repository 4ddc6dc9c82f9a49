import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { expect, test } from 'vitest'

const SCHEMA_URL = new URL('../../../schemas/study.v1.json', import.meta.url)
const GENERATED_URL = new URL('../../../src/spec/shape/study-shape-validator.ts', import.meta.url)

const HEADER = `// Generated from schemas/study.v1.json by Ajv: \`npx vitest run test/spec/shape/study-shape-validator.test.ts -u\`. Do not edit.
// Compiling the schema and loading the compiler would take longer than the whole rest of \`whatif validate\`.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
// @ts-nocheck
`

/** Ajv's own function for the length of text in code points, the only thing that its code would load. */
const CODE_POINTS = 'const codePoints = (text) => { let count = 0; for (const _ of text) count++; return count }'

function generateValidator(): string {
  const schema = JSON.parse(readFileSync(SCHEMA_URL, 'utf8'))
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    code: { source: true, esm: true, lines: true },
  })
  ajv.addSchema(schema)
  const code = standalone.default(ajv, {
    validateStudy: schema.$id,
    validateFields: `${schema.$id}#/definitions/fields`,
  })
  const body = code
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
