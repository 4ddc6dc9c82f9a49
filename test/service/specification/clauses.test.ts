import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { clausesOfDecisions, clausesOfSpecification, clausesOfTests } from './clauses.ts'

const SHARED = resolve(import.meta.dirname, '../../../../shared')
const SPECIFICATION = resolve(SHARED, 'service-spec.md')
const DECISIONS = resolve(SHARED, 'service-decisions.md')

/** Clauses that no request can show, and why. */
const NOT_TESTED: Readonly<Record<string, string>> = {
  'Limits: Recommended polling': 'advice to clients; the runner follows it (test/client)',
  'Versioning 3': 'a promise of people about notice and migration',
}

const tested = new Set<string>()
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts') && file !== 'clauses.test.ts')
for (const file of files) {
  for (const clause of clausesOfTests(readFileSync(resolve(import.meta.dirname, file), 'utf8'))) tested.add(clause)
}

describe.skipIf(!existsSync(SPECIFICATION))('the suite', () => {
  let clauses: Set<string>
  // This is not in the body, because Vitest runs the body of a skipped `describe`, where the documents may be missing.
  beforeAll(() => {
    clauses = new Set([
      ...clausesOfSpecification(readFileSync(SPECIFICATION, 'utf8')),
      ...clausesOfDecisions(readFileSync(DECISIONS, 'utf8')),
    ])
  })

  it('has a test for every clause of the specification and of the decisions', () => {
    expect([...clauses].filter((clause) => !tested.has(clause) && !(clause in NOT_TESTED))).toEqual([])
  })

  it('names no clause that does not exist', () => {
    expect([...tested].filter((clause) => !clauses.has(clause))).toEqual([])
  })

  it('excepts only clauses that exist and have no test', () => {
    expect(Object.keys(NOT_TESTED).filter((clause) => !clauses.has(clause) || tested.has(clause))).toEqual([])
  })
})

describe('clauses', () => {
  it('are read from numbered items, rows, bullets and paragraphs', () => {
    const markdown = `# Title

Above.

## What the service does

Words.

Rules that hold:

1. One.
2. Two.

## Errors

| HTTP | Code |
|---|---|
| 400 | \`svc_x\` |
| 402 | |

- Bodies: not shown.

### GET /things/{id} (operationId x)

- First, with \`a\\|b\`.
- Second.

| Status | Body |
|---|---|
| 200 | Words. |
`
    expect([...clausesOfSpecification(markdown)]).toEqual([
      'Rules',
      'Rules 1',
      'Rules 2',
      'Errors: 400 svc_x',
      'Errors: 402',
      'GET /things/{id}: 200',
      'GET /things/{id} 1',
      'GET /things/{id} 2',
    ])
  })

  it('of the decisions are named by their questions', () => {
    const markdown = '## General\n| Question | Decision |\n|---|---|\n| `401` | x |\n\n## Routes\n`/x` says ok.\n'
    expect([...clausesOfDecisions(markdown)]).toEqual(['Decisions, General: 401', 'Decisions, Routes'])
  })

  it('of tests stand in brackets before their titles', () => {
    const source = "it('[Rules 4] [GET /x 1] a title', ...)\nit.each([1])(`[Errors] y`, ...)\nconst a = ['[x]', b[0]]"
    expect([...clausesOfTests(source)]).toEqual(['Rules 4', 'GET /x 1', 'Errors'])
  })
})
