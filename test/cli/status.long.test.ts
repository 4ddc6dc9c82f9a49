import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

const STUDY = 'brand.study.yaml'
const study = (rows: number) => `version: 1
name: brand
datasets: { tracker: { file: tracker.csv } }
defaults: { seed: 1, rows: ${rows} }
scenarios:
  as-is: { tags: [weekly] }
  north:
    matrix:
      axes: [{ name: share, set: [shares, region, North], values: { half: 0.5, most: 0.8 } }]
`

const LOCK = '.whatif/studies/brand/embedded/lock'
const lock = (pid: number) => {
  const now = new Date().toISOString()
  return JSON.stringify({ pid, host: hostname(), run_id: 'a-run', started_at: now, heartbeat_at: now })
}

describe('a study between its runs, with the real command', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', shortTracker(['region', 'age']))
    await project.write(STUDY, study(50))
  })
  afterAll(() => project.remove())

  it('list needs only the file', async () => {
    const { code, stdout, stderr } = await project.whatif(['list', STUDY], {
      env: { WHATIF_BASE_URL: 'https://x.invalid' },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`scenario     group  axes        rows  tags
as-is                             50  weekly
north--half  north  share=half    50
north--most  north  share=most    50

3 scenarios, 150 rows
`)
    const json = await project.whatif(['list', STUDY, '--json', '--select', 'share=most'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      command: 'list',
      ok: true,
      data: { rows: 50, scenarios: { 'north--most': { group: 'north', axes: { share: 'most' }, seed: 1 } } },
    })
    const none = await project.whatif(['list', STUDY, '--select', 'tag:weakly'])
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toBe(
      'error: nothing is selected: no scenario matches "tag:weakly" (did you mean "tag:weekly"?)\n',
    )
  })

  it('a saved plan is carried out once, and is stale afterwards', async () => {
    const saved = await project.whatif(['plan', STUDY, '--save', 'plan.json'])
    expect(saved.code).toBe(0)
    expect(saved.stderr).toContain(`saved; to run it: whatif run ${STUDY} --plan plan.json\n`)
    const ran = await project.whatif(['run', STUDY, '--plan', 'plan.json'])
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    await project.write(STUDY, study(60))
    const stale = await project.whatif(['run', STUDY, '--plan', 'plan.json'])
    expect(stale).toMatchObject({ code: 2, stdout: '' })
    expect(stale.stderr).toMatch(
      /^error: the saved plan is stale, nothing was sent\. Changed since: the study or its data; /m,
    )
    await project.write(STUDY, study(50))
  })

  it('a file that is not a saved plan is not read as one and not replaced', async () => {
    for (const args of [
      ['run', STUDY, '--plan', 'package.json'],
      ['plan', STUDY, '--save', 'package.json'],
    ]) {
      const { code, stderr } = await project.whatif(args)
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(/^error: saved plan package\.json: plan_version: expected the number 1/m)
    }
    expect(await project.read('package.json')).toBe('{}\n')
  })

  it('status is a table, and an alarm where something is too old or ends too soon', async () => {
    const calm = await project.whatif(['status', STUDY, '--max-age', '1h', '--expiring', '1m'])
    expect(calm).toMatchObject({ code: 0, stderr: '' })
    expect(calm.stdout).toMatch(
      /^brand: last run refused (just now|\d+ min ago) \(exit 2: usage\)\n {2}last complete run (just now|\d+ min ago)$/m,
    )
    expect(calm.stdout).toMatch(/^north--half {2}ready +50 {2}(now|\d+ min) +in 6 days$/m)
    for (const line of calm.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const alarm = await project.whatif(['status', STUDY, '--json', '--max-age', '0s', '--expiring', '169h'])
    expect(alarm).toMatchObject({ code: 12, stderr: '' })
    const { data, ok, exit_code: exitCode } = JSON.parse(alarm.stdout)
    expect({ ok, exitCode }).toEqual({ ok: false, exitCode: 12 })
    const conditions = data.conditions.map(({ condition }: { condition: string }) => condition)
    expect(conditions[0]).toBe('max_age')
    expect(conditions.filter((name: string) => name === 'expiring').length).toBeGreaterThanOrEqual(3)
    expect(data).toMatchObject({
      service: 'embedded',
      lock: null,
      last_run: { exit_code: 2 },
      last_complete_run: { exit_code: 0 },
      pending: { generations: 0 },
    })
  })

  it('alarms after a run that is dated in the future, whose age is unknown', async () => {
    for (const path of [...(await project.files('out/brand/runs')), 'out/brand/manifest.json'])
      await project.write(path, (await project.read(path)).replace(/"finished_at": "20\d\d/g, '"finished_at": "2999'))
    const alarm = await project.whatif(['status', STUDY, '--max-age', '26h'])
    expect(alarm.code).toBe(12)
    expect(alarm.stderr).toMatch(/^status: the last complete run ended at 2999-\S+, which is not in the past: /m)
  })

  it('resume submits nothing, where a run would', async () => {
    await project.write(STUDY, study(70))
    const { code, stderr } = await project.whatif(['resume', STUDY])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('billed in this run: 0 rows')
    expect(stderr).toContain('not started: whatif run would submit it; resume only collects')
    const refused = await project.whatif(['resume', STUDY, '--force'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
  })

  it('unlock leaves the lock of a live run, and removes the lock of an ended one', async () => {
    await project.write(LOCK, lock(process.pid))
    const held = await project.whatif(['unlock', STUDY])
    expect(held).toMatchObject({ code: 10, stdout: '' })
    expect(held.stderr).toContain(`error: brand is running (run a-run, process ${process.pid} on `)
    const forced = await project.whatif(['unlock', STUDY, '--force', '--json'])
    expect(forced).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(forced.stdout)).toMatchObject({ command: 'unlock', data: { outcome: 'removed' } })
    // No process has this id: ids end far below it.
    await project.write(LOCK, lock(2 ** 30))
    const ended = await project.whatif(['unlock', STUDY])
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    expect(ended.stderr).toContain('brand: the lock of an ended run was removed')
    expect(await project.list('.whatif/studies/brand/embedded')).not.toContain('lock')
  })
})
