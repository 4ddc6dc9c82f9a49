import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { expect, test } from 'vitest'

const SCHEMA_URL = new URL('../../schemas/plan.v1.json', import.meta.url)
const GENERATED_URL = new URL('../../src/plan/plan-shape-validator.ts', import.meta.url)

const HEADER = `// Generated from schemas/plan.v1.json by Ajv: \`npx vitest run test/plan/plan-shape-validator.test.ts -u\`. Do not edit.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
// @ts-nocheck
`

function generateValidator(): string {
  // The first fault is told, in the words of its part of the schema; a hostile file must not make a list of millions.
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    code: { source: true, esm: true, lines: true },
  })
  ajv.addSchema({ ...JSON.parse(readFileSync(SCHEMA_URL, 'utf8')), $id: 'plan' })
  return `${HEADER}${standalone.default(ajv, { validatePlan: 'plan' }).replace(/^"use strict";\n?/, '')}`
}

test('the validator is the one that Ajv makes of the published schema', async () => {
  await expect(generateValidator()).toMatchFileSnapshot(GENERATED_URL.pathname)
})

test('the validator loads nothing', () => {
  expect(generateValidator()).not.toMatch(/\brequire\(|^import /m)
})
