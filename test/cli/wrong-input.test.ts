import { describe, expect, it } from 'vitest'
import { inStudyFolder, whatif } from './command-in-process.ts'

inStudyFolder()

describe('a mistyped command is reported with the remedy', () => {
  it.each([
    [
      'plan a.study.yaml --save none/plan.json',
      2,
      'error: saved plan none/plan.json: its folder does not exist; create it first\n',
    ],
    ['run a.study.yaml --events=none/log', 2, 'error: --events=none/log: its folder does not exist; create it first\n'],
    [
      'plan a.study.yaml --service localhost:3000',
      5,
      'error: the address of the service is not a URL\nWrite it like https://service.example.org\n',
    ],
    [
      'inspect a.study.yaml --sheet Answers',
      2,
      'error: inspect --sheet: it is for a seed file without a study\nWrite "sheet: NAME" in the dataset\'s entry of the study.\n',
    ],
    ['init --sheet Answers', 2, 'error: init --sheet: it names a sheet of a seed file\nName the workbook as well.\n'],
    ['help plam', 2, "error: unknown command 'plam'\n(Did you mean plan?)\n"],
  ])('whatif %s', async (line, code, said) => {
    const result = await whatif(line)
    expect(result.stderr.startsWith(said) ? said : result.stderr).toBe(said)
    expect(result.code).toBe(code)
  })

  it('but whatif help, alone or with a command, is accepted', async () => {
    expect(await whatif('help plan')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: whatif plan/) })
    expect(await whatif('help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: whatif \[options\]/) })
  })
})
