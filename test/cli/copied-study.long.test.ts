import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from './double-project.ts'

/** The message with which `run` and similar commands refuse it. */
const REFUSED = `error S3005 the name "demo" belongs to demo.study.yaml
  copies/copy.study.yaml:2:7
    2 | name: demo
              ^^^^
  state and results are stored under the name; give one of the two studies another \`name:\`
`

const WARNED = REFUSED.replace('error S3005', 'warning W3103').replace(
  /\n {2}state and.*/,
  '\n  this file was checked anyway, but cannot be run; give one of the two studies another `name:`',
)

let fixture: DoubleProject
const whatif = (...args: string[]) => fixture.project.whatif(args, { env: fixture.env })

/** The state that belongs to the study that was copied. */
const state = async () => {
  const files = (await fixture.project.files('.whatif')).filter((name) => name.endsWith('journal.ndjson'))
  expect(files).toHaveLength(1)
  return (await fixture.project.read(files[0] as string)).trimEnd().split('\n')
}

beforeAll(async () => {
  fixture = await makeDoubleProject({ sharesProcess: true })
  expect(await whatif('run', 'demo.study.yaml')).toMatchObject({ code: 0 })
  await fixture.project.write('copies/copy.study.yaml', DEMO_STUDY.replace('seeds/', '../seeds/'))
})
afterAll(() => fixture.remove())

describe('a copy of a study that has the same name', () => {
  it.each(['validate', 'validate --offline'])('is checked by "whatif %s", with a warning', async (line) => {
    const before = await state()
    const { code, stderr } = await whatif(...line.split(' '), 'copies/copy.study.yaml')
    expect(stderr).toContain(WARNED)
    expect(stderr).toContain('copies/copy.study.yaml: valid, 3 scenarios')
    expect(code).toBe(0)
    expect(await state(), 'nothing is written into the state of the other study').toEqual(before)
  })

  it('is checked against the cleaned data', async () => {
    const study = DEMO_STUDY.replace('seeds/', '../seeds/').replace('answer:', 'anser:')
    await fixture.project.write('copies/wrong.study.yaml', study)
    const { code, stderr } = await whatif('validate', 'copies/wrong.study.yaml')
    expect(stderr).toContain('error S2102 column "anser" does not exist after cleaning')
    expect(stderr).toContain('warning W3103')
    expect(code).toBe(4)
  })

  it('may have data of its own, which are trained; the study with the same name stays up to date', async () => {
    await fixture.project.write('copies/other.csv', 'region,answer,age\nNorth,Yes,20\nSouth,No,30\n')
    await fixture.project.write('copies/data.study.yaml', DEMO_STUDY.replace('seeds/panel.csv', 'other.csv'))
    expect(await whatif('validate', 'copies/data.study.yaml')).toMatchObject({ code: 0 })
    expect((await state()).map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'study')).toHaveLength(1)
    const generations = fixture.double.made('generations')
    expect(await whatif('run', 'demo.study.yaml')).toMatchObject({ code: 0 })
    expect(fixture.double.made('generations')).toBe(generations)
  })

  it('is not valid with --strict, as with any warning', async () => {
    expect(await whatif('validate', '--strict', '--offline', 'copies/copy.study.yaml')).toMatchObject({ code: 3 })
  })

  it.each(['plan', 'run', 'status', 'resume', 'lock'])(
    'is refused by "whatif %s", once and at its name',
    async (command) => {
      const { code, stdout, stderr } = await whatif(command, 'copies/copy.study.yaml')
      expect(stderr).toBe(REFUSED)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    },
  )

  it('is reported before any run, when both are checked together', async () => {
    await fixture.project.write('new/a.study.yaml', DEMO_STUDY.replace('demo', 'twice'))
    await fixture.project.write('new/b.study.yaml', DEMO_STUDY.replace('demo', 'twice'))
    const { code, stderr } = await whatif('validate', '--offline', 'new/a.study.yaml', 'new/b.study.yaml')
    expect(stderr).toContain('warning W3103 the name "twice" belongs to new/a.study.yaml\n  new/b.study.yaml:2:7\n')
    expect(stderr.match(/W3103/g)).toHaveLength(1)
    expect(code).toBe(0)
  })
})

describe('a study that "whatif validate" checks first', () => {
  it('does not take the name from the study that is run', async () => {
    await fixture.project.write('first.study.yaml', DEMO_STUDY.replace('demo', 'first'))
    await fixture.project.write('second.study.yaml', DEMO_STUDY.replace('demo', 'first'))
    expect(await whatif('validate', 'second.study.yaml')).toMatchObject({ code: 0 })
    expect(await whatif('run', 'first.study.yaml')).toMatchObject({ code: 0 })
  })

  it('is checked though the state of another service cannot be read', async () => {
    await fixture.project.write('.whatif/studies/broken/deadbeef/state.json', '{')
    await fixture.project.write('broken.study.yaml', DEMO_STUDY.replace('demo', 'broken'))
    expect(await whatif('validate', '--offline', 'broken.study.yaml')).toMatchObject({ code: 0 })
  })
})
