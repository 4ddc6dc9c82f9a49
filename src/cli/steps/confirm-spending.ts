import { createInterface } from 'node:readline/promises'
import { confirmedByBudget, type LocalRequest } from '../../local/local-run.ts'
import type { Plan } from '../../plan/plan.ts'
import { renderPlan } from '../../plan/render-plan.ts'
import type { RunEnvironment } from '../../run/run-options.ts'
import type { RunFlags } from '../options/study-options.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Reporter } from '../progress/reporter.ts'

/**
 * Before rows are billed by a remote service: on a terminal the plan is shown and a person asked; elsewhere the study's
 * budget or `--yes` must have said so beforehand.
 */
export function confirmSpending(options: {
  readonly local: LocalRequest
  readonly service: string
  readonly flags: RunFlags
  readonly terminal: Terminal
  readonly reporter: Reporter
  readonly signal: AbortSignal
}): NonNullable<RunEnvironment['confirm']> {
  const { local, service, flags, terminal, reporter, signal } = options
  return async (plan: Plan) => {
    if (flags.yes) return { go: true }
    if (!terminal.interactive || flags.json) return confirmedByBudget(local.file, local.options, 'pass --yes')
    const answer = await reporter.asking(() => {
      terminal.stderr.write(renderPlan(plan, { now: Date.now(), width: terminal.width, service }))
      return ask('Go ahead? [y/N] ', terminal, signal)
    })
    return /^y(es)?$/i.test(answer.trim()) ? { go: true } : { go: false, message: 'not confirmed; nothing was sent' }
  }
}

/** The answer; rejects when the signal fires. */
async function ask(question: string, terminal: Terminal, signal: AbortSignal): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: terminal.stderr })
  // While it reads, the terminal sends Ctrl-C as a character.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await prompt.question(question, { signal })
  } finally {
    prompt.close()
  }
}
