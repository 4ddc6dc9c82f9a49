import { InvalidArgumentError } from 'commander'
import { LANGUAGES, type Language } from '../../base/language/catalogues.ts'
import { SetupError } from '../../local/setup-error.ts'
import { MOST_SHARDS } from '../../study/shards/shards.ts'
import type { Shard } from '../../study/study.ts'

/** Parsers of option values; what they throw becomes commander's "error: option … argument … is invalid" (exit 2). */

export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Expected a whole number of at least 1.')
  return value
}

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('Expected a whole number.')
  return value
}

/** Rows of a subscription. Not null for none: commander takes null for an option without its value. */
export function rowsOrNone(text: string): number | 'none' {
  return text === 'none' ? text : wholeNumber(text)
}

/** A limit of bytes. Not null for that of the service: commander takes null for an option without its value. */
export function bytesOrDefault(text: string): number | 'default' {
  if (text === 'default') return text
  const [, amount, unit = ''] = /^(\d{1,15})(MiB|GiB|TiB|)$/.exec(text) ?? []
  const bytes = Number(amount) * ({ MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }[unit] ?? 1)
  if (!Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('Expected a size such as 500MiB or 20GiB, or default.')
  return bytes
}

/** Entries of one page of a list. */
export function listLength(text: string): number {
  const value = positiveInteger(text)
  if (value > 100) throw new InvalidArgumentError('Expected a whole number of at most 100.')
  return value
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `3/20`: the third of twenty parts. */
export function shard(text: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  const read = { index: Number(index), of: Number(of) }
  if (read.index < 1 || read.index > read.of || read.of > MOST_SHARDS)
    throw new InvalidArgumentError(
      `Expected INDEX/COUNT, such as 3/20 for the third of twenty parts: the index from 1 to the count, the count at most ${MOST_SHARDS}.`,
    )
  return read
}

/** How many parts. */
export function shardCount(text: string): number {
  const value = positiveInteger(text)
  if (value > MOST_SHARDS) throw new InvalidArgumentError(`Expected a whole number of at most ${MOST_SHARDS}.`)
  return value
}

/** `30m`, `2h`, `90s`, `500ms`, or seconds; in milliseconds. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (!match) throw new InvalidArgumentError('Expected a duration such as 30m, 2h, 90s, or seconds.')
  return Math.round(Number(match[1]) * (UNIT_MS[match[2] ?? 's'] as number))
}

/** `{1,48}` of letters, digits, underscore and dash: it becomes part of the idempotency keys. */
export function scopeLabel(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,48}$/.test(text))
    throw new InvalidArgumentError('Expected 1 to 48 letters, digits, "_" or "-".')
  return text
}

/** Scopes of a shared state, repeatable. */
export const scopes = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  scopeLabel(value),
]

/** The scenarios to which `--force` is limited. Because the value is optional, a study after the option is read as its value. */
export function forcedSelection(text: string): string {
  if (/\.ya?ml$/i.test(text))
    throw new InvalidArgumentError(
      'That is a study file. Write it before --force, or write --force "*" for all scenarios.',
    )
  return text
}

/** Collects a repeatable option. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** `name=ds_…`, repeatable. */
export function datasetId(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [name, id, ...rest] = text.split('=')
  if (!name || !id || rest.length > 0) throw new InvalidArgumentError('Expected NAME=DATASET_ID.')
  return new Map([...before, [name, id]])
}

type Progress = 'auto' | 'tty' | 'plain' | 'github'

/** The choices of one or more `--reporter` options. */
export interface ReporterChoice {
  /** `github` is `plain` with annotations; null = not said, as `auto`. */
  readonly progress: Progress | null
  /** File for JUnit XML. */
  readonly junit: string | null
}

/** Reads the options of a command with these ways to show progress, with or without results for a JUnit file. */
function parserOf(ways: readonly Progress[], hasResults: boolean) {
  const words = hasResults ? [...ways, 'junit=FILE'] : ways
  const expected = `Expected ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
  return (text: string, before: ReporterChoice = { progress: null, junit: null }): ReporterChoice => {
    const progress = ways.find((way) => way === text)
    if (progress !== undefined) {
      if (before.progress !== null && before.progress !== progress)
        throw new InvalidArgumentError(`It is already "${before.progress}", and progress is shown in one way only.`)
      return { ...before, progress }
    }
    const junit = hasResults ? /^junit=(.+)$/s.exec(text)?.[1] : undefined
    if (junit === undefined) throw new InvalidArgumentError(expected)
    if (before.junit !== null) throw new InvalidArgumentError('Only one JUnit file can be written.')
    return { ...before, junit }
  }
}

export const runReporter = parserOf(['auto', 'tty', 'plain', 'github'], true)
export const gateReporter = parserOf(['auto', 'plain', 'github'], true)
export const checkReporter = parserOf(['auto', 'plain', 'github'], false)

/** Whether findings become annotations of GitHub Actions. */
export function isForGitHub(choice: ReporterChoice | undefined, env: NodeJS.ProcessEnv): boolean {
  const progress = choice?.progress ?? 'auto'
  return progress === 'github' || (progress === 'auto' && env.GITHUB_ACTIONS === 'true')
}

/** `--exit-zero-on gates,partial`: causes that are reported and do not count. */
export function exitZeroOn(text: string | undefined): ReadonlySet<'gates' | 'partial'> {
  const words = (text ?? '').split(',').filter((word) => word !== '')
  const known = words.filter((word): word is 'gates' | 'partial' => word === 'gates' || word === 'partial')
  if (known.length < words.length)
    throw new SetupError(2, `--exit-zero-on ${text}: expected gates, partial, or gates,partial`)
  return new Set(known)
}

/** A language that a report can be written in. */
export function reportLanguage(text: string): Language {
  const found = LANGUAGES.find((one) => one === text.toLowerCase())
  if (found === undefined) throw new InvalidArgumentError(`Expected one of ${LANGUAGES.join(', ')}.`)
  return found
}
