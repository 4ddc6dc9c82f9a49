import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marginsAtRevision, readAtRevision } from '../../../src/cli/steps/git-revision.ts'
import { makeProject, type Project } from '../project-folder.ts'

const IDENTITY = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']

let project: Project
const git = (...args: string[]) => execFileSync('git', ['-C', project.root, ...IDENTITY, ...args], { stdio: 'pipe' })
const commit = async (text: string) => {
  await project.write('studies/a b.study.yaml', text)
  git('add', '.')
  git('commit', '-qm', 'a study')
}

beforeAll(async () => {
  project = await makeProject()
  git('init', '-q')
  await commit('one\n')
  await commit('two\n')
  git('tag', 'v2')
  await project.write('studies/a b.study.yaml', 'not committed\n')
})
afterAll(() => project.remove())

describe('a file at a revision', () => {
  const read = (revision: string, name = 'studies/a b.study.yaml') => readAtRevision(project.path(name), revision)

  it.each([
    ['HEAD', 'two\n'],
    ['HEAD~1', 'one\n'],
    ['v2', 'two\n'],
  ])('%s is the committed text', async (revision, text) => {
    expect(await read(revision)).toBe(text)
  })

  it.each(['nowhere', '', 'HEAD:studies', 'HEAD; touch stolen', '$(touch stolen)', 'HEAD\n', 'HEAD\u001b[31m'])(
    '%j is not read, and starts no command',
    async (revision) => {
      await expect(read(revision)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.not.stringContaining('\u001b'),
      })
      expect(await project.list('.')).not.toContain('stolen')
    },
  )

  it('that does not exist is reported with the name of the file, without a folder', async () => {
    const message = 'the repository of a b.study.yaml has no revision nowhere'
    await expect(read('nowhere')).rejects.toMatchObject({ message })
  })

  it.each(['--help', '--output=stolen', '-C', '--upload-pack=touch stolen'])(
    '%s is not an option to git',
    async (revision) => {
      await expect(read(revision)).rejects.toThrow(`${revision} is not a revision`)
    },
  )

  it('is read without the filters of the repository', async () => {
    await project.write('.gitattributes', '*.yaml diff=evil filter=evil\n')
    git('config', 'diff.evil.textconv', `touch ${project.path('stolen')}; cat`)
    git('config', 'filter.evil.smudge', `touch ${project.path('stolen')}; cat`)
    expect(await read('HEAD')).toBe('two\n')
    expect(await project.list('.')).not.toContain('stolen')
  })

  it('in a folder without a repository is reported', async () => {
    const outside = await makeProject()
    await outside.write('a.study.yaml', 'one\n')
    await expect(readAtRevision(outside.path('a.study.yaml'), 'HEAD')).rejects.toThrow(
      'a.study.yaml is in no git repository that has a revision HEAD',
    )
    await outside.remove()
  })

  it('that does not exist is reported', async () => {
    await expect(read('HEAD', 'studies/new.study.yaml')).rejects.toThrow('revision HEAD has no file new.study.yaml')
  })
})

describe('files of margins at a revision', () => {
  it('are those of that revision, and one that was not there is a finding where it is named', async () => {
    await project.write('studies/census.csv', 'column,level,share\nregion,North,0.3\n')
    await commit('three\n')
    await project.write('studies/census.csv', 'column,level,share\nregion,North,0.4\n')
    const at = { offset: 0, line: 3, column: 1 }
    const range = { filename: 'a b.study.yaml', start: at, end: at }
    const named = ['census.csv', 'gone.csv'].map((value) => ({ value, range }))
    const found = await marginsAtRevision(named, project.path('studies/a b.study.yaml'), 'HEAD')
    expect(found.get('census.csv')).toMatchObject({
      filename: 'census.csv@HEAD',
      rows: [{ column: 'region', level: 'North', share: '0.3', line: 2 }],
      fault: null,
    })
    expect(found.get('gone.csv')).toMatchObject({
      code: 'S1311',
      range,
      summary: 'the margins "gone.csv" cannot be read',
    })
  })
})
