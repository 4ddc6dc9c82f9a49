import { describe, expect, it } from 'vitest'
import type { SchemaColumn } from '../../../src/contract/datasets.ts'
import { GenerationRequest } from '../../../src/contract/generations.ts'
import { checkConditions } from '../../../src/service/generations/check-conditions.ts'
import { NameSearch } from '../../../src/service/http/nearest-names.ts'
import { ProblemError } from '../../../src/service/http/problem-error.ts'
import { checkBody } from '../../../src/service/http/request-shape.ts'

/** A request of 1 MB can name a hundred thousand things; looking for likely spellings of all of them takes hours. */
const LONG = 'n'.repeat(90)
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `${LONG}${i}`)

async function problemOf(act: () => unknown): Promise<ProblemError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

describe('a request with very many unknown names is refused quickly, and all of them are counted', () => {
  const schema: SchemaColumn[] = names(2000).map((name) => ({ name: `x${name}`, type: 'categorical', levels: ['a'] }))

  it('as columns', async () => {
    const categorical = Object.fromEntries(names(10_000).map((name) => [name, { a: 1 }]))
    const problem = await problemOf(() => checkConditions({ categorical }, schema))
    expect(problem.code).toBe('svc_unknown_condition_column')
    expect([problem.errors.length, problem.errorsOmitted]).toEqual([50, 9950])
  })

  it('as levels', async () => {
    const wide: SchemaColumn[] = [{ name: 'c', type: 'categorical', levels: schema.map(({ name }) => name) }]
    const levels = Object.fromEntries(names(10_000).map((name) => [name, 0]))
    const problem = await problemOf(() => checkConditions({ categorical: { c: levels } }, wide))
    expect([problem.errors.length, problem.errorsOmitted]).toEqual([50, 9950])
  })

  it('as fields', async () => {
    const body = { row_count: 1, ...Object.fromEntries(names(50_000).map((name) => [name, 1])) }
    const problem = await problemOf(() => checkBody(GenerationRequest, body))
    expect([problem.errors.length, problem.errorsOmitted]).toEqual([50, 49_950])
  })
})

describe('the search for names like a given one', () => {
  it('has one bound on comparisons for all faults of a request together', () => {
    const search = new NameSearch(100_000)
    const candidates = names(1000)
    expect(search.likely(`${LONG}x`, candidates)).toBeNull()
    // The rest does not suffice for the nearest either: the candidates in their order.
    expect(search.nearest(`${LONG}999`, candidates, 2)).toEqual(candidates.slice(0, 2))
  })

  it('suggests names for a second and third fault in a schema of usual size', () => {
    const search = new NameSearch()
    const candidates = Array.from({ length: 1000 }, (_, i) => `question.number.${i}`)
    search.nearest('qestion.number.1', candidates, 50)
    for (const i of [5, 500, 999]) {
      expect(search.likely(`qestion.number.${i}`, candidates)).toBe(`question.number.${i}`)
    }
  })

  it('compares only the first of very many candidates, and keeps the sequence of the others', () => {
    const candidates = names(10_000)
    expect(new NameSearch().nearest(`${LONG}7`, candidates, 1)).toEqual([`${LONG}7`])
    expect(new NameSearch().nearest(`${LONG}9999`, candidates, 10_000)).toHaveLength(10_000)
    expect(new NameSearch().nearest(`${LONG}9999`, candidates, 10_000).slice(-2)).toEqual([
      `${LONG}9998`,
      `${LONG}9999`,
    ])
  })

  it('compares all candidates of a schema of usual size', () => {
    const candidates = Array.from({ length: 1000 }, (_, i) => `question.${i}`)
    expect(new NameSearch().nearest('qestion.999', candidates, 1)).toEqual(['question.999'])
  })
})
