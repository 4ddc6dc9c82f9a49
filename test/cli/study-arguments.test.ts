import { Command } from 'commander'
import { expect, it } from 'vitest'
import { shellWord, studyArguments } from '../../src/cli/commands/plan.ts'
import { addStudyOptions, type StudyFlags } from '../../src/cli/options/study-options.ts'

const flagsOf = (...args: string[]): StudyFlags => {
  const command = addStudyOptions(new Command('plan').argument('<file>'))
  return command.parse(['x.study.yaml', ...args], { from: 'user' }).opts<StudyFlags>()
}

it('the arguments of a printed command are those of the command itself', () => {
  const given =
    "--select 'switch--*' --select tag:core --exclude young --force --force-dataset panel --retry-failed --rows 100 --budget-rows 20 --shard 3/20 --base main" +
    ' --scope 2026-11-20 --reads main --reads release --dataset panel=ds_1 --dataset other=ds_2 --locked --out /elsewhere --overwrite --allow-outside' +
    ' --allow-hidden --service https://service.example --auth-url https://id.example --allow-private-addresses'
  expect(studyArguments(flagsOf(...given.split(' ').map((word) => word.replaceAll("'", ''))))).toBe(` ${given}`)
  expect(studyArguments(flagsOf('--force', 'region=north'))).toBe(' --force region=north')
})

it('the arguments of a printed command include every option that affects a plan', () => {
  const known = addStudyOptions(new Command('plan')).options.map(({ long }) => long)
  const shown = studyArguments({
    ...{
      service: 'x',
      authUrl: 'x',
      out: 'x',
      scope: 'x',
      select: ['x'],
      exclude: ['x'],
      reads: ['x'],
      force: 'x',
      rows: 1,
      budgetRows: 1,
      shard: { index: 1, of: 2 },
    },
    base: 'x',
    ...{ forceDataset: ['x'], retryFailed: true, dataset: new Map([['x', 'x']]), locked: true, overwrite: true },
    ...{ allowOutside: true, allowHidden: true, allowPrivateAddresses: true },
  })
  const aboutOutput = ['--json', '--no-color']
  expect(shown.match(/--[a-z-]+/g)?.sort()).toEqual(known.filter((name) => !aboutOutput.includes(name ?? '')).sort())
})

it.each([
  ['brand.study.yaml', 'brand.study.yaml'],
  ['my study.yaml', "'my study.yaml'"],
  ["it's", "'it'\\''s'"],
  ['$(x)', "'$(x)'"],
  ['', "''"],
])('for a shell %s is written as %s', (text, word) => {
  expect(shellWord(text)).toBe(word)
})
