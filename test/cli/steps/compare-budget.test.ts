import { execFileSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { inStudyFolder, whatif } from '../command-in-process.ts'

const IDENTITY = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
const git = (...args: string[]) => execFileSync('git', [...IDENTITY, ...args], { stdio: 'pipe' })

const study = (budget: string) =>
  `version: 1\nname: a\ndatasets: { p: { file: p.csv } }\nscenarios: { x: { rows: 1, seed: 1 } }\n${budget}`
const BUDGET = 'budget: { rows_per_run: 1000, rows_per_scenario: 500, new_datasets_per_run: 1 }\n'
const HOSTILE = [
  '$(touch stolen)',
  '--output=stolen',
  'main; touch stolen',
  'main^{/x}',
  '../main',
  'a b',
  'x\u001b[31m',
]

inStudyFolder()

beforeAll(async () => {
  git('init', '-q', '-b', 'main')
  await writeFile('a.study.yaml', study(BUDGET))
  git('add', '.')
  git('commit', '-qm', 'a study')
  git('switch', '-q', '-c', 'change')
})

/** The findings about the budget of a study with this change. */
async function withBase(now: string, line: string, env: Record<string, string> = {}) {
  await writeFile('a.study.yaml', study(now))
  const { stdout, stderr, code } = await whatif(`${line} --json`, env)
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; summary: string; range: object }[] }
  return { code, stderr, found: diagnostics.filter((d) => /^[WN]45/.test(d.code)) }
}

const PLAN = 'plan a.study.yaml --base main'
const RAISED = 'the study raises its own budget against revision main: '

describe('a study that raises its own budget is reported', () => {
  it.each([
    ['a higher number', BUDGET.replace('1000', '20000'), 'rows_per_run 1,000 → 20,000'],
    ['a limit that is gone', BUDGET.replace('rows_per_run: 1000, ', ''), 'rows_per_run 1,000 → no limit'],
    [
      'all of them gone',
      '',
      'rows_per_run 1,000 → no limit; rows_per_scenario 500 → no limit; new_datasets_per_run 1 → no limit',
    ],
    ['rows of a scenario', BUDGET.replace('500', '501'), 'rows_per_scenario 500 → 501'],
  ])('%s', async (_, now, what) => {
    expect((await withBase(now, PLAN)).found).toMatchObject([{ code: 'W4501', summary: `${RAISED}${what}` }])
  })

  it.each([
    ['the same', BUDGET],
    ['a lower one', BUDGET.replace('1000', '10')],
  ])('but not where the budget is %s', async (_, now) => {
    expect((await withBase(now, PLAN)).found).toEqual([])
  })

  it('at its place, by a run before anything is sent and by validate, without a refusal', async () => {
    const now = BUDGET.replace('1000', '20000')
    const run = await withBase(now, 'run a.study.yaml --base main --budget-rows 0')
    expect(run).toMatchObject({ code: 6, found: [{ code: 'W4501', range: { start: { line: 5, column: 9 } } }] })
    const valid = await withBase(now, 'validate --offline --strict a.study.yaml --base main')
    expect(valid).toMatchObject({ code: 0, found: [{ code: 'W4501' }] })
    expect((await whatif('run a.study.yaml --base main --budget-rows 0')).stderr).toMatch(
      /^warning W4501 the study raises its own budget against revision main: rows_per_run 1,000 → 20,000\n/,
    )
  })

  it('when it had no budget, because runs needed a confirmation before', async () => {
    git('branch', '-q', 'without', 'main')
    git('switch', '-q', 'without')
    await writeFile('a.study.yaml', study(''))
    git('commit', '-qam', 'no budget')
    git('switch', '-q', 'change')
    const { found } = await withBase(BUDGET, 'plan a.study.yaml --base without')
    expect(found).toMatchObject([
      { summary: expect.stringContaining('rows_per_run: none, so that runs asked first → 1,000') },
    ])
  })
})

describe('the base in CI', () => {
  const now = BUDGET.replace('1000', '20000')
  const line = 'plan a.study.yaml'

  it.each([
    ['GitHub', { GITHUB_BASE_REF: 'main' }],
    ['GitHub, which fetched the merge alone', { GITHUB_BASE_REF: 'trunk', GITHUB_REF: 'refs/pull/7/merge' }],
    ['GitLab', { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }],
  ])('is the target branch: %s', async (_, env) => {
    git('switch', '-q', '--detach', 'main')
    git('commit', '-q', '--allow-empty', '-m', 'the merge')
    expect((await withBase(now, line, env)).found).toMatchObject([
      { code: 'W4501', summary: expect.stringContaining('against the branch ') },
    ])
    git('checkout', '-q', '-f', 'change')
  })

  it('is the commit that GitLab names where no branch was fetched', async () => {
    const commit = execFileSync('git', ['rev-parse', 'main'], { encoding: 'utf8' }).trim()
    const env = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'trunk', CI_MERGE_REQUEST_DIFF_BASE_SHA: commit }
    expect((await withBase(now, line, env)).found).toMatchObject([{ code: 'W4501' }])
  })

  it('that was not fetched is a note, and the plan continues', async () => {
    const { code, found } = await withBase(now, line, { GITHUB_BASE_REF: 'trunk' })
    expect(code).toBe(0)
    expect(found).toMatchObject([
      {
        code: 'N4502',
        summary: 'the budget is not compared with that of the branch trunk',
        detail: expect.stringContaining('fetch it'),
      },
    ])
  })

  it.each(HOSTILE)('with the name %j starts no command and is ignored', async (name) => {
    const { code, found, stderr } = await withBase(now, line, { GITHUB_BASE_REF: name })
    expect({ code, codes: found.map((d) => d.code) }).toEqual({ code: 0, codes: ['N4502'] })
    expect(stderr).not.toContain('\u001b')
    expect(await readdir('.')).not.toContain('stolen')
  })
})

describe('--base', () => {
  it('that is not a revision ends the command', async () => {
    const { code, stderr } = await whatif('plan a.study.yaml --base nowhere')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: the repository of a.study.yaml has no revision nowhere\n',
    })
  })

  it('from before the study existed is a note', async () => {
    await writeFile('new.study.yaml', study(BUDGET).replace('name: a', 'name: new'))
    const { stdout } = await whatif('plan new.study.yaml --base main --json')
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'N4502', detail: 'the study does not exist there' }])
  })
})
