import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESULT_FORMAT_NAMES } from '../../src/base/result-formats.ts'
import { adviceFor, allExplanations, codesPage, explainCode } from '../../src/cli/explain/explain-code.ts'
import { GATE_MEANINGS } from '../../src/cli/explain/gate-meanings.ts'
import { CALL_MEANINGS, EVIDENCE_MEANINGS, INTERVAL_MEANINGS } from '../../src/cli/explain/result-meanings.ts'
import { TEXT_MEANINGS, WORD_MEANINGS } from '../../src/cli/explain/word-meanings.ts'
import { ERROR_CATALOGUE } from '../../src/contract/errors.ts'
import { EXIT_CODES } from '../../src/runner/interface/exit-code.ts'
import { EXIT_MEANINGS } from '../../src/runner/interface/exit-meanings.ts'
import { FAULT_MEANINGS } from '../../src/runner/interface/fault-meanings.ts'
import { SELECTABLE_STATUSES } from '../../src/runner/plan/select-scenarios.ts'
import { SCENARIO_STATES } from '../../src/runner/plan/state-index.ts'
import { DIAGNOSTIC_CATALOGUE } from '../../src/study/diagnostics/catalogue.ts'
import { makeProject, type Project } from './project-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const CODES = [
  DIAGNOSTIC_CATALOGUE,
  EXIT_MEANINGS,
  GATE_MEANINGS,
  WORD_MEANINGS,
  TEXT_MEANINGS,
  EVIDENCE_MEANINGS,
  INTERVAL_MEANINGS,
  FAULT_MEANINGS,
  CALL_MEANINGS,
  ERROR_CATALOGUE,
].flatMap((table) => Object.keys(table))

describe('a code', () => {
  it.each(CODES)('%s is explained', (code) => {
    const explanation = explainCode(code)
    expect(explanation?.code).toBe(code)
    expect(explanation?.text.join(' ').length).toBeGreaterThan(40)
  })

  it('has one meaning only', () => {
    expect(allExplanations().map(({ code }) => code)).toHaveLength(new Set(CODES).size)
  })

  it.each([
    ['s2103', 'S2103'],
    [' S2103 ', 'S2103'],
    ['exit 8', '8'],
    ['exit code 8', '8'],
    ['partial_below_policy', '8'],
    ['terminated', '143'],
    ['SVC_NOT_FOUND', 'svc_not_found'],
    ['mixed', 'mixed_model'],
    ['mixed model', 'mixed_model'],
    ['shares:region', 'shares'],
    ['delta:keen:purchase.intent:Yes', 'delta'],
    ['not started', 'not_started'],
    ['not_selected', 'not selected'],
    ['Up to date', 'up to date'],
    ['probably_expired', 'probably expired'],
    ['departs', 'model and seed differ'],
    ['±', '±'],
    ['low support', 'low_support'],
    ['too few rows', 'too_few_rows'],
    ['Noise of generation', 'noise of generation'],
    ['no estimates operation', 'no_estimates_operation'],
    ['refused', 'refused'],
    ['payment_required', '6'],
  ])('is found in any spelling: %s', (typed, code) => {
    expect(explainCode(typed)?.code).toBe(code)
  })

  it.each([
    ['', /^Codes look like S2103 .* lists all\.$/],
    ['  ', /^Codes look like/],
    ['exit', /^Codes look like/],
    ['frobnicate', /^Codes look like/],
    ['13', /^Exit codes are 0, 1, 2, .*, 130 and 143\.$/],
    ['exit 300', /^Exit codes are/],
    ['s2013', /^Did you mean .*S2103/],
    ['svc_not_fond', /^Did you mean svc_not_found\?$/],
  ])('that does not exist, %j, is answered with similar codes or the form of codes', (typed, advice) => {
    expect(explainCode(typed)).toBeNull()
    expect(adviceFor(typed)).toMatch(advice)
  })

  it.each(['', 'S9999', '21', 'constructor', 'toString', '__proto__'])('%j is not a code', (typed) => {
    expect(explainCode(typed)).toBeNull()
  })
})

/** The build fails where a type has a member without an explanation; these are the words that stand in values. */
describe('every word of a summary is explained', () => {
  const schema = JSON.parse(readFileSync(resolve(root, 'schemas/manifest.v1.json'), 'utf8'))
  const enums = (node: unknown): unknown[] => {
    if (typeof node !== 'object' || node === null) return []
    const { enum: values, ...rest } = node as Record<string, unknown>
    return [...(Array.isArray(values) ? values : []), ...Object.values(rest).flatMap(enums)]
  }
  /** Values of fields that explain themselves: policies, severities, kinds of service, of columns and outcomes, formats, names of columns. */
  const PLAIN = [
    'accept',
    'warn',
    'fail',
    'error',
    'warning',
    'note',
    'embedded',
    'remote',
    'segments',
    'where',
    'quantiles',
    'categorical',
    'numeric',
    'date',
    'means',
    ...RESULT_FORMAT_NAMES,
    'original',
  ]

  it.each([...new Set(enums(schema))].filter((value) => !PLAIN.includes(value as string)))('a manifest’s %s', (word) =>
    expect(explainCode(word as string)).not.toBeNull(),
  )

  it.each([...SCENARIO_STATES, ...SELECTABLE_STATUSES])('the status %s', (word) =>
    expect(explainCode(word)).not.toBeNull(),
  )

  it.each(Object.keys(EXIT_CODES).filter((reason) => reason !== 'ok'))('the reason %s', (word) =>
    expect(explainCode(word)).not.toBeNull(),
  )

  it('the words of a plan', () => {
    const words = ['re-download', 'resume', 'reuse', 'copy', 'upload', 'generate', 'up to date', 'probably expired']
    for (const word of words) expect(explainCode(word)?.kind, word).toBe('word')
  })
})

describe('exit codes', () => {
  it('have a meaning for all causes, and 12 and 20 belong to commands', () => {
    const ofRuns = new Set<number>(Object.values(EXIT_CODES))
    const meanings = Object.keys(EXIT_MEANINGS).map(Number)
    expect(meanings.filter((code) => !ofRuns.has(code))).toEqual([12, 20])
    expect([...ofRuns].filter((code) => !meanings.includes(code))).toEqual([])
  })

  it('are in docs/commands.md with the same words', () => {
    const commands = readFileSync(resolve(root, 'docs/commands.md'), 'utf8')
    const cells = [...commands.matchAll(/^\| (\d+(?:, \d+)?) \| ([^|]+) \| (?:(\d+(?:, \d+)?) \| ([^|]+) \|)?/gm)]
    const shown = new Map(cells.flatMap(([, a, x, b, y]) => [[a, x] as const, [b, y] as const]))
    for (const [code, { title }] of Object.entries(EXIT_MEANINGS)) {
      const key = code === '130' || code === '143' ? '130, 143' : code
      const words = code === '143' ? EXIT_MEANINGS[130].title : title
      expect(shown.get(key)?.replaceAll('`', ''), `docs/commands.md on exit code ${code}`).toBe(words)
    }
  })
})

it('docs/codes.md equals the tables (npm run docs:codes writes it)', () => {
  expect(readFileSync(resolve(root, 'docs/codes.md'), 'utf8')).toBe(codesPage())
})

describe('whatif explain', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
  })
  afterAll(() => project.remove())

  it('prints a code on stdout, in lines of 80 columns, without a service', async () => {
    const { code, stdout, stderr } = await project.whatif(['explain', 'S2104'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^error S2104: /)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(await project.list('.')).not.toContain('.whatif')
  })

  it('accepts words as they are printed, without quotes', async () => {
    const { code, stdout } = await project.whatif(['explain', 'not', 'started'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^word not_started: /)
  })

  it('refuses a code that does not exist, and names similar ones', async () => {
    expect(await project.whatif(['explain', 'S2193\u001b[31m'])).toMatchObject({ code: 2, stdout: '' })
    const { code, stderr } = await project.whatif(['explain', 'S2193'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: there is no code "S2193"\nDid you mean S2103 or S2113?\n',
    })
  })

  it('lists all codes, as JSON too', async () => {
    const list = await project.whatif(['explain'])
    for (const code of CODES) expect(list.stdout).toContain(`\n${code} `)
    const { data } = JSON.parse((await project.whatif(['explain', '--json'])).stdout)
    expect(data.map((entry: { code: string }) => entry.code).sort()).toEqual([...CODES].sort())
  })
})
