import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { RESULT_FORMAT_NAMES } from '../../src/base/result-formats.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { FILENAME, readBooks } from './case-book.ts'
import { MATRIX, MATRIX_RESPELLED, MINIMAL } from './study-texts.ts'

/** An editor holds a file against the published schema; the runner must say the same about its shape. */

const SHAPE_CODES = /^S(?:11|12)|^S300[12]$/

/** Where the runner knows more than a schema can say, or reads more kindly. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'a version with a point': 'JSON Schema takes 1.0 for the integer 1',
  'an unknown axis value': 'an editor takes an unquoted 1 for a number where a name stands',
  'an integer that would lose digits': 'JSON has no bounds of integers',
  'bounds that a double holds and other readers of JSON do not': 'JSON has no bounds of integers',
  'a value that does not fit its path': 'the schema does not follow the path of an axis',
  'a sweep beyond 1': 'the schema does not follow the path of a sweep',
  'levels that YAML reads otherwise': 'an editor takes an unquoted 010 for a number where a name stands',
  'a date that the calendar does not have': 'a schema knows the form of a date and not the calendar',
  'a merge key among levels': 'an editor merges or takes << for a level, as it likes',
}

let validate: ValidateFunction
let schema: { readonly definitions: { readonly format: { readonly enum: readonly string[] } } }

beforeAll(() => {
  const url = new URL('../../schemas/study.v1.json', import.meta.url)
  schema = JSON.parse(readFileSync(url, 'utf8'))
  validate = new Ajv({ allErrors: true, strict: true, strictRequired: false, strictTypes: false }).compile(schema)
})

function isParsed(yaml: string): boolean {
  return !loadStudy(yaml, { filename: FILENAME }).diagnostics.some(
    (d) => d.code.startsWith('S10') && d.code !== 'S1011',
  )
}

function schemaAccepts(yaml: string): boolean {
  return validate(parse(yaml, { version: '1.2', schema: 'core', stringKeys: true })) as boolean
}

function runnerAccepts(yaml: string): boolean {
  const { diagnostics } = loadStudy(yaml, { filename: FILENAME })
  // Of the places of files, a schema knows the form of an address in a bucket alone.
  const isAddress = (d: (typeof diagnostics)[number]) => d.code === 'S1302' && d.summary.startsWith('address ')
  return !diagnostics.some((d) => SHAPE_CODES.test(d.code) || d.code === 'S1011' || isAddress(d))
}

const CASES = [
  { name: 'minimal', yaml: MINIMAL },
  { name: 'matrix', yaml: MATRIX },
  { name: 'matrix respelled', yaml: MATRIX_RESPELLED.slice(1) },
  ...readBooks().filter(({ yaml }) => isParsed(yaml)),
]

describe('the published schema', () => {
  test('has the formats of result files', () => {
    expect(schema.definitions.format.enum).toEqual(RESULT_FORMAT_NAMES)
  })

  test.each(CASES.filter(({ name }) => !(name in EXCEPTIONS)))('agrees with the runner on "$name"', ({ yaml }) => {
    expect(schemaAccepts(yaml)).toBe(runnerAccepts(yaml))
  })

  test('uses draft-07, which editors support', () => {
    expect((validate.schema as { $schema: string }).$schema).toBe('http://json-schema.org/draft-07/schema#')
  })

  test('closes every map whose keys are not data', () => {
    const open: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      const schema = node as { type?: unknown; properties?: object; additionalProperties?: unknown }
      if (schema.type === 'object' && schema.properties && schema.additionalProperties !== false) open.push(path)
      for (const [key, child] of Object.entries(node)) walk(child, `${path}/${key}`)
    }
    walk(validate.schema, '')
    expect(open).toEqual([])
  })

  test('allows keys that start with "x-" in every closed map', () => {
    const without: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      const schema = node as { additionalProperties?: unknown; patternProperties?: { '^x-'?: unknown } }
      if (schema.additionalProperties === false && schema.patternProperties?.['^x-'] !== true) without.push(path)
      for (const [key, child] of Object.entries(node)) walk(child, `${path}/${key}`)
    }
    walk(validate.schema, '')
    expect(without).toEqual([])
  })
})
