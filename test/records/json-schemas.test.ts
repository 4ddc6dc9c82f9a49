import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { publishedSchemas } from '../../src/records/json-schemas.ts'

it.each(Object.entries(publishedSchemas()))('%s is what its records say (npm run schemas)', (name, schema) => {
  const published = readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')
  expect(JSON.parse(published)).toEqual(schema)
})
