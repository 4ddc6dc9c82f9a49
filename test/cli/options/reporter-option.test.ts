import { InvalidArgumentError } from 'commander'
import { describe, expect, it } from 'vitest'
import {
  checkReporter,
  gateReporter,
  isForGitHub,
  type ReporterChoice,
  runReporter,
} from '../../../src/cli/options/option-values.ts'

type Parser = (text: string, before?: ReporterChoice) => ReporterChoice
const parsed = (parser: Parser, words: readonly string[]) =>
  words.reduce<ReporterChoice | undefined>((before, word) => parser(word, before), undefined)

describe('--reporter', () => {
  it.each([
    { words: ['tty'], choice: { progress: 'tty', junit: null } },
    { words: ['plain', 'plain'], choice: { progress: 'plain', junit: null } },
    { words: ['junit=a=b.xml'], choice: { progress: null, junit: 'a=b.xml' } },
    { words: ['github', 'junit=x'], choice: { progress: 'github', junit: 'x' } },
    { words: ['junit=x', 'auto'], choice: { progress: 'auto', junit: 'x' } },
  ])('$words is $choice', ({ words, choice }) => {
    expect(parsed(runReporter, words)).toEqual(choice)
  })

  it.each([
    { of: 'a run', parser: runReporter, words: ['xml'], said: 'Expected auto, tty, plain, github or junit=FILE.' },
    { of: 'a run', parser: runReporter, words: ['junit='], said: 'Expected auto, tty, plain, github or junit=FILE.' },
    {
      of: 'a run',
      parser: runReporter,
      words: ['tty', 'github'],
      said: 'It is already "tty", and progress is shown in one way only.',
    },
    { of: 'a run', parser: runReporter, words: ['junit=a', 'junit=b'], said: 'Only one JUnit file can be written.' },
    { of: 'gate', parser: gateReporter, words: ['tty'], said: 'Expected auto, plain, github or junit=FILE.' },
    { of: 'validate', parser: checkReporter, words: ['junit=a'], said: 'Expected auto, plain or github.' },
  ])('refuses $words for $of', ({ parser, words, said }) => {
    expect(() => parsed(parser, words)).toThrow(new InvalidArgumentError(said))
  })

  it.each([
    { words: [], env: { GITHUB_ACTIONS: 'true' }, expected: true },
    { words: ['auto'], env: { GITHUB_ACTIONS: 'true' }, expected: true },
    { words: ['junit=x'], env: { GITHUB_ACTIONS: 'true' }, expected: true },
    { words: ['plain'], env: { GITHUB_ACTIONS: 'true' }, expected: false },
    { words: ['tty'], env: { GITHUB_ACTIONS: 'true' }, expected: false },
    { words: [], env: { CI: 'true' }, expected: false },
    { words: ['github'], env: {}, expected: true },
  ])('$words writes annotations with $env: $expected', ({ words, env, expected }) => {
    expect(isForGitHub(parsed(runReporter, words), env)).toBe(expected)
  })
})
