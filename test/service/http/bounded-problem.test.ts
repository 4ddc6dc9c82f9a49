import { describe, expect, it } from 'vitest'
import type { SchemaColumn } from '../../../src/contract/datasets.ts'
import { MAX_PROBLEM_BYTES } from '../../../src/contract/limits.ts'
import type { Problem } from '../../../src/contract/problem.ts'
import { checkConditions } from '../../../src/service/generations/check-conditions.ts'
import { ProblemError } from '../../../src/service/http/problem-error.ts'
import { problemOf } from '../../../src/service/http/problem-record.ts'

async function problemFrom(act: () => unknown): Promise<Problem> {
  try {
    await act()
  } catch (error) {
    if (error instanceof ProblemError) return problemOf(error, 'req_x', 'https://service.example').body
    throw error
  }
  throw new Error('It was accepted.')
}

const bytesOf = (body: Problem) => Buffer.byteLength(JSON.stringify(body))
/** `count` different names of 1 KiB, in letters of four bytes each. */
const longNames = (count: number) => Array.from({ length: count }, (_, i) => `${1000 + i}${'𝐚'.repeat(255)}`)

describe('a problem record', () => {
  it('has at most 64 KiB, however long the names are that it repeats', async () => {
    const levels = longNames(100)
    const schema: SchemaColumn[] = [{ name: 'c', type: 'categorical', levels }]
    const shares = Object.fromEntries(levels.map((level) => [`${level}!`, 0.001]))
    const body = await problemFrom(() => checkConditions({ categorical: { c: shares } }, schema))
    expect(body.code).toBe('svc_unknown_condition_column')
    expect(bytesOf(body)).toBeLessThanOrEqual(MAX_PROBLEM_BYTES)
    // The nearest names come whole, as many as there is room for.
    expect(body.schema_hint?.levels?.length).toBeGreaterThan(20)
    expect(body.schema_hint?.levels?.every((level) => levels.includes(level))).toBe(true)
    expect((body.errors?.length ?? 0) + (body.errors_omitted ?? 0)).toBe(100)
    expect(body.errors?.length).toBeGreaterThan(20)
  })

  it('counts the faults for which it has no room', async () => {
    const errors = Array.from({ length: 40 }, (_, i) => ({ field: `f${i}`, message: '\u0001'.repeat(5000) }))
    const body = await problemFrom(() => {
      throw new ProblemError('svc_invalid_field', 'x'.repeat(100_000), { errors, errorsOmitted: 5 })
    })
    expect(bytesOf(body)).toBeLessThanOrEqual(MAX_PROBLEM_BYTES)
    expect(body.detail).toBe(`${'x'.repeat(4096)}…`)
    expect((body.errors?.length ?? 0) + (body.errors_omitted ?? 0)).toBe(45)
    expect(body.errors?.[0]?.field).toBe('f0')
  })

  it('leaves out a suggestion that is too long to read', async () => {
    const errors = Array.from({ length: 50 }, () => ({ field: 'f', message: 'm', suggestion: 'y'.repeat(5000) }))
    const body = await problemFrom(() => {
      throw new ProblemError('svc_invalid_field', 'Why.', { errors })
    })
    expect(body.errors).toEqual(errors.map(({ field, message }) => ({ field, message })))
  })

  it('of usual size is unchanged', async () => {
    const errors = [{ field: 'f', message: 'm', suggestion: 's' }]
    const body = await problemFrom(() => {
      throw new ProblemError('svc_invalid_field', 'Why.', { errors, schemaHint: { columns: ['a'] } })
    })
    expect(body).toMatchObject({ detail: 'Why.', errors, schema_hint: { columns: ['a'] } })
    expect(body.errors_omitted).toBeUndefined()
  })
})
