import { InvalidArgumentError } from 'commander'

type Progress = 'auto' | 'tty' | 'plain' | 'github'

/** What `--reporter`, given once or more, chose. */
export interface ReporterChoice {
  /** `github` is `plain` with annotations; null = not said, as `auto`. */
  readonly progress: Progress | null
  /** File for JUnit XML. */
  readonly junit: string | null
}

/** Of a command with these ways to show progress, and with or without results for a JUnit file. */
function parserOf(ways: readonly Progress[], hasResults: boolean) {
  const words = hasResults ? [...ways, 'junit=FILE'] : ways
  const expected = `Expected ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
  return (text: string, before: ReporterChoice = { progress: null, junit: null }): ReporterChoice => {
    const progress = ways.find((way) => way === text)
    if (progress !== undefined) {
      if (before.progress !== null && before.progress !== progress)
        throw new InvalidArgumentError(`It is "${before.progress}" already, and progress is shown in one way.`)
      return { ...before, progress }
    }
    const junit = hasResults ? /^junit=(.+)$/s.exec(text)?.[1] : undefined
    if (junit === undefined) throw new InvalidArgumentError(expected)
    if (before.junit !== null) throw new InvalidArgumentError('One JUnit file can be written.')
    return { ...before, junit }
  }
}

export const runReporter = parserOf(['auto', 'tty', 'plain', 'github'], true)
export const judgeReporter = parserOf(['auto', 'plain', 'github'], true)
export const checkReporter = parserOf(['auto', 'plain', 'github'], false)

/** Whether findings become annotations of GitHub Actions. */
export function isForGitHub(choice: ReporterChoice | undefined, env: NodeJS.ProcessEnv): boolean {
  const progress = choice?.progress ?? 'auto'
  return progress === 'github' || (progress === 'auto' && env.GITHUB_ACTIONS === 'true')
}
