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
      'inspect p.csv --encoding klingon',
      2,
      "error: option '--encoding <name>' argument 'klingon' is invalid. Expected a name or label of the WHATWG Encoding Standard.\n",
    ],
    [
      'init p.csv --encoding cp932',
      2,
      "error: option '--encoding <name>' argument 'cp932' is invalid. Did you mean shift_jis?\n",
    ],
    [
      'inspect p.csv --header-rows 11',
      2,
      "error: option '--header-rows <rows>' argument '11' is invalid. Expected a whole number from 1 to 10.\n",
    ],
    [
      'init --encoding latin1',
      2,
      'error: --sheet, --encoding and --header-rows need a seed file\nName the file: whatif init data.csv.\n',
    ],
    [
      'inspect ds_1 --header-rows 2',
      2,
      'error: --sheet, --encoding and --header-rows are for a seed file without a study\nIn a study, "sheet", "encoding" and "header_rows" in',
    ],
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
