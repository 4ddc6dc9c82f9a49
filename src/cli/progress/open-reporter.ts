import { systemClock } from '../../base/clock.ts'
import type { Study } from '../../study/study.ts'
import { isForGitHub } from '../options/option-values.ts'
import type { RunFlags } from '../options/study-options.ts'
import type { Terminal } from '../output/terminal.ts'
import { createLineReporter } from './line-reporter.ts'
import { type Reporter, silentReporter, together } from './reporter.ts'

/** The reporters of a run: for a person at a terminal or a log and, with --events, for a program. */
export async function openRunReporter(
  study: Study,
  flags: RunFlags,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<Reporter> {
  if (flags.events === undefined) return progressReporter(study, flags, terminal, env)
  const { openEventLog } = await import('./event-log.ts')
  const { stderr } = terminal
  if (flags.events === '-') return openEventLog({ file: null, stderr, clock: systemClock })
  const log = openEventLog({ file: flags.events, stderr, clock: systemClock })
  return together(log, await progressReporter(study, flags, terminal, env))
}

async function progressReporter(
  study: Study,
  flags: RunFlags,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<Reporter> {
  if (flags.json) return silentReporter
  const options = {
    study,
    stderr: terminal.stderr,
    color: terminal.color,
    quiet: flags.quiet ?? false,
    verbose: flags.verbose ?? false,
  }
  const progress = flags.reporter?.progress ?? 'auto'
  const isWatched = terminal.interactive && !options.quiet && !isForGitHub(flags.reporter, env)
  const isLive = terminal.stderr.isTTY && (progress === 'tty' || (progress === 'auto' && isWatched))
  if (!isLive) return createLineReporter(options)
  const { createLiveReporter } = await import('./live-reporter.ts')
  return createLiveReporter(options)
}
