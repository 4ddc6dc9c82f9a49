import { countText } from '../../base/text/amount-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { StudyFile } from '../../local/study-file.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import type { Budget, Study } from '../../study/study.ts'
import { type FileAtRevision, findAtRevision } from './git-revision.ts'

/** The base of a change. */
interface Base {
  /** For people. */
  readonly name: string
  /** Names under which git may have it, to be tried in this sequence. */
  readonly revisions: readonly string[]
  /** Somebody typed it, so that it must be there. */
  readonly isGiven: boolean
}

/**
 * The budget is in the file that a change edits, so a change can raise its own cost limit. This reports whether it does, if
 * the base of the change is known: from `--base` or, in a pull or merge request, from the CI system.
 *
 * @throws SetupError (2) for a `--base` that is no revision.
 */
export async function budgetFindings(
  file: StudyFile & { readonly study: Study },
  flags: { readonly base?: string },
  env: NodeJS.ProcessEnv,
): Promise<Diagnostic[]> {
  const base = baseOf(flags.base, env)
  if (base === null) return []
  const { study } = file
  const range = study.budgetRange ?? study.nameRange
  const notCompared = (why: string): Diagnostic[] => [
    diagnose('N4502', { summary: `the budget is not compared with that of ${base.name}`, range, detail: why }),
  ]
  const found = await findFirst(file.path, base.revisions)
  if (found.missing !== null) {
    if (base.isGiven && found.missing !== 'file') throw new SetupError(2, found.message, found.hint)
    return notCompared(found.missing === 'file' ? 'the study does not exist there' : FETCH_IT)
  }
  const before = loadStudy(found.text, { filename: file.name, margins: 'unread' }).study
  if (before === null) return notCompared('the study has faults there')
  const raised = raisedLimits(before.budget, study.budget)
  if (raised.length === 0) return []
  return [
    diagnose('W4501', {
      summary: `the study raises its own budget against ${base.name}: ${raised.join('; ')}`,
      range,
      detail: '--budget-rows in the settings of the CI system holds whatever the study says',
    }),
  ]
}

const FETCH_IT = 'git does not know that branch here; fetch it or its commit first'

/** The file at the first of the revisions that exists. */
async function findFirst(path: string, revisions: readonly string[]): Promise<FileAtRevision> {
  let found: FileAtRevision = { missing: 'revision', message: 'no revision is known', hint: null }
  for (const revision of revisions) {
    found = await findAtRevision(path, revision)
    if (found.missing !== 'revision') break
  }
  return found
}

function baseOf(given: string | undefined, env: NodeJS.ProcessEnv): Base | null {
  if (given !== undefined) return { name: `revision ${given}`, revisions: [given], isGiven: true }
  if (env.GITHUB_BASE_REF) {
    // There the checkout is the change merged into its base, which is the first parent.
    const isMerged = /^refs\/pull\/\d+\/merge$/.test(env.GITHUB_REF ?? '')
    return branch(env.GITHUB_BASE_REF, isMerged ? ['HEAD^1'] : [])
  }
  if (env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME) {
    const commit = env.CI_MERGE_REQUEST_DIFF_BASE_SHA ?? ''
    return branch(env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME, /^[0-9a-f]{40,64}$/.test(commit) ? [commit] : [])
  }
  return null
}

/** Full names of references, so that git cannot take a branch name for another expression. */
function branch(name: string, others: readonly string[]): Base {
  const isBranchName = !/[\p{Control}\s~^:?*[\\]|\.\.|@\{/u.test(name)
  const named = isBranchName ? [`refs/remotes/origin/${name}`, `refs/heads/${name}`] : []
  return { name: `the branch ${name}`, revisions: [...named, ...others], isGiven: false }
}

/** Limits that were raised or removed, and a new limit that lets runs continue without a confirmation. */
function raisedLimits(before: Budget, now: Budget): string[] {
  const rise = (what: string, from: number | null, to: number | null): string[] => {
    if (from === null || (to !== null && to <= from)) return []
    return [`${what} ${countText(from)} → ${to === null ? 'no limit' : countText(to)}`]
  }
  const isNew = before.rowsPerRun === null && now.rowsPerRun !== null
  return [
    ...(isNew ? [`rows_per_run: none, so that runs asked first → ${countText(now.rowsPerRun!)}`] : []),
    ...rise('rows_per_run', before.rowsPerRun, now.rowsPerRun),
    ...rise('rows_per_scenario', before.rowsPerScenario, now.rowsPerScenario),
    ...rise('new_datasets_per_run', before.newDatasetsPerRun, now.newDatasetsPerRun),
  ]
}
