import { describe, expect, it } from 'vitest'
import { program } from '../../../src/cli/main.ts'
import { inStudyFolder, whatif } from '../command-in-process.ts'
import { makeProject } from '../project-folder.ts'

/** Commands of the service, of access to it, and of the machine: no study is worked on. */
const OTHERS = ['serve', 'migrate-database', 'storage', 'auth', 'operator', 'datasets', 'doctor']

inStudyFolder()

const ofStudies = (await program({})).commands.filter((command) => !OTHERS.includes(command.name()))

it.each(ofStudies.map((command) => [command.name(), command] as const))(
  'whatif %s accepts --offline and --no-color, whether or not they have an effect there',
  (_name, command) => {
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--offline', '--no-color']))
  },
)

describe('--offline', () => {
  it.each([
    ['run a.study.yaml', /status --offline, plan, list, gate, report and diff/],
    ['resume a.study.yaml', /whatif status --offline/],
    ['merge a.study.yaml', /merge of complete parts asks none/],
    ['lock a.study.yaml', /whatif validate --offline --locked/],
    ['inspect p.csv', /whatif validate --offline/],
    ['init p.csv', /Without a seed file/],
  ])('is refused by whatif %s, with what works without a service', async (line, instead) => {
    const { stdout, stderr, code } = await whatif(`${line} --offline`)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    const [command] = line.split(' ')
    expect(stderr).toMatch(new RegExp(`^error: whatif ${command} needs a service, and --offline rules it out\\n`))
    expect(stderr).toMatch(instead)
  })

  it.each(['plan a.study.yaml', 'list a.study.yaml', 'explain S2103', 'fmt --check a.study.yaml'])(
    'changes nothing of whatif %s, which asks no service',
    async (line) => {
      expect(await whatif(`${line} --offline --no-color`)).toEqual(await whatif(line))
    },
  )

  it('lets whatif init write a study with made-up names', async () => {
    expect(await whatif('init --offline')).toMatchObject({ code: 0 })
  })
})

describe('a value without text, as of a variable that is not set,', () => {
  it.each([
    ['run a.study.yaml --service=', "option '--service <url>' argument ''"],
    ['run a.study.yaml --out=', "option '--out <dir>' argument ''"],
    ['run a.study.yaml --select x --select=', "option '--select <what>' argument ''"],
    ['plan a.study.yaml --save=', "option '--save <file>' argument ''"],
    ['datasets --service=', "option '--service <url>' argument ''"],
    ['auth status --service=', "option '--service <url>' argument ''"],
    ['inspect ', "argument 'what' is empty"],
    ['validate a.study.yaml ', "argument 'files' is empty"],
  ])('is refused: whatif %s', async (line, said) => {
    const { stdout, stderr, code } = await whatif(line)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr.slice(0, 7 + said.length)).toBe(`error: ${said}`)
    expect(stderr).toContain('Is a variable not set?')
  })

  it('is reported as JSON on request', async () => {
    const { stdout } = await whatif('run a.study.yaml --json --service=')
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'run',
      exit_code: 2,
      data: { message: expect.stringMatching(/^option/) },
    })
  })
})

// In a process of its own: loading the service here can outlast the test file.
it('whatif serve reports a file at the path of its folder', async () => {
  const project = await makeProject({ sharesProcess: true })
  try {
    await project.write('p.csv', 'a,b\n1,2\n')
    const { stderr, code } = await project.whatif(['serve', '--data', 'p.csv', '--port', '0'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'error: the data folder cannot be used, because a file has its name\nName a folder with --data.\n',
    )
  } finally {
    await project.remove()
  }
})
