import type { DatasetFacts } from '../../plan/study-state.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { lockChanges, lockChangeText } from '../../study/lock/lock-changes.ts'
import type { Study } from '../../study/study.ts'
import type { LockFile } from '../files/study-lock-file.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunContext } from '../session/run-context.ts'
import { knownFacts } from './current-upload.ts'
import { expectedLock, type KnownData } from './expected-lock.ts'

/** Changes listed before the rest is only counted. */
const LISTED_CHANGES = 10

/**
 * `--locked`: a run against the data that the lock describes, or none. Refuses when there is no lock, or when what is
 * known by now would change it; called before an upload and again before a generation.
 */
export function holdToLock(context: RunContext): void {
  if (!context.options.locked) return
  const [fault] = lockedFindings(context.request.study, context.lockFile!, knownData(context))
  if (fault !== undefined)
    throw new RunRefusalError('does_not_fit_data', 'locked', fault.summary, { diagnostics: [fault] })
}

/** What keeps a study from running with `--locked`: nothing, or one error. */
export function lockedFindings(study: Study, file: LockFile, known: KnownData): readonly Diagnostic[] {
  if (file.lock === null) {
    const summary = `there is no ${file.name} beside the study, and --locked runs only against one`
    return [diagnose('S2302', { summary })]
  }
  const changes = lockChanges(file.lock, expectedLock(study, file.lock, known))
  if (changes.length === 0) return []
  const more = changes.length - LISTED_CHANGES
  const lines = changes.slice(0, LISTED_CHANGES).map(lockChangeText)
  const detail = [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
  return [diagnose('S2303', { summary: `${file.name} would change, and --locked forbids that`, detail })]
}

/** Seed files that are hashed and schemas that were seen, from this run or an earlier one. */
export function knownData(context: RunContext): KnownData {
  const facts = new Map<string, DatasetFacts>()
  for (const name of context.study.datasets.keys()) {
    const found = knownFacts(context, name)
    if (found !== null) facts.set(name, found)
  }
  return { seeds: context.seedFiles, facts }
}
