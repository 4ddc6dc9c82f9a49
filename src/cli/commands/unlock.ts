import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../base/clock.ts'
import { agoText } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { thisProcess } from '../../base/this-process.ts'
import { serviceLabel } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import { EXIT_CODES, RunRefusalError } from '../../runner/interface/exit-code.ts'
import { unlockShared } from '../../runner/shared/shared-lock.ts'
import { sharedLockKey } from '../../runner/shared/shared-places.ts'
import { type Unlocking, unlockStudy } from '../../runner/state/run-lock.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { resolveConnection } from '../access/connection.ts'
import { chosenState } from '../access/state-storage.ts'
import { scopeLabel } from '../options/option-values.ts'
import { addStateOptions, type StateFlags } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { reportInvalid } from '../steps/report-study.ts'

/** Declares `whatif unlock`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addStateOptions(command)
    .description(
      'Remove the lock of a study when the run that held it has ended. Runs do this themselves after two minutes. A run that ' +
        'is still alive keeps its lock (exit 10).',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--scope <label>', 'with WHATIF_STATE: of the runs under this label', scopeLabel)
    .option('--force', 'take the lock from a living run, which then stops at its next request')
    .action(async (file, flags) => {
      process.exitCode = await unlock(file, flags, env)
    })
}

/** `whatif unlock`: removes the lock that an ended run left behind. */
export async function unlock(
  path: string,
  flags: StateFlags & { readonly force?: boolean; readonly scope?: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const file = await readStudyFile(path)
  const { study } = file
  if (study === null || hasErrors(file.diagnostics)) return reportInvalid('unlock', [file], flags, terminal)
  const place = {
    projectRoot: file.projectRoot,
    studyFile: file.path,
    studyName: study.name,
    outputDir: study.outputDir,
    out: flags.out === undefined ? null : resolve(flags.out),
    service: serviceLabel(await resolveConnection(flags, env)),
  }
  const world = { fs, clock: systemClock, process: thisProcess() }
  const force = flags.force ?? false
  const state = await chosenState(flags, env, file.projectRoot)
  const unlocked =
    state === null
      ? unlockStudy(place, world, { force })
      : unlockShared({ store: state.store, key: sharedLockKey(place, state.scope) }, world, { force })
  const done = await unlocked
    .catch((error: unknown) => {
      if (error instanceof RunRefusalError) throw new SetupError(exitCodeOf(error), escapeText(error.message))
      throw error
    })
    .finally(() => state?.store.close())
  const exitCode = done.kind === 'held' || done.kind === 'changed' ? EXIT_CODES.lock_held : EXIT_CODES.ok
  if (flags.json) {
    const data = { outcome: done.kind, holder: 'holder' in done ? done.holder : null }
    terminal.stdout.write(jsonDocument({ command: 'unlock', exitCode, data }))
  } else {
    terminal.stderr.write(`${exitCode === 0 ? '' : 'error: '}${escapeText(unlockText(study.name, done))}\n`)
  }
  return exitCode
}

/** A refusal by the bucket has a code of its own; anything else is about how the command was called. */
const exitCodeOf = ({ reason }: RunRefusalError) =>
  reason === 'authentication' || reason === 'deadline_or_network' ? EXIT_CODES[reason] : EXIT_CODES.usage

function unlockText(name: string, done: Unlocking): string {
  if (done.kind === 'not_locked') return `${name}: there is no lock`
  const { pid, host, heartbeatAt, runId } = done.holder
  const seen = Number.isFinite(Date.parse(heartbeatAt)) ? agoText(heartbeatAt, systemClock.now()) : 'at an unknown time'
  const who = `run ${runId}, process ${pid} on ${host}, last seen ${seen}`
  switch (done.kind) {
    case 'held':
      return `${name} is running (${who}), so its lock was not removed. Stop that process to release the lock. With --force the lock is taken from it; the run then stops at its next request, and the next run collects what it submitted`
    case 'removed':
      return done.stale === null
        ? `${name}: the lock was taken from a living run (${who}); it stops at its next request`
        : `${name}: the lock of an ended run was removed (${who})`
    case 'changed':
      return `${name}: another run took the lock in the meantime, so it was not removed`
  }
}
