import { foldersApart } from '../../study/shards/shards.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunRequest } from '../interface/run-options.ts'

/** The folder of results without a `--scope`. */
export const MAIN_SCOPE = 'main'

/** Which state in the store a run works on. */
export interface SharedPlace {
  readonly study: string
  readonly service: string
  /** Folders of a trial or a part. */
  readonly apart: readonly string[]
  /** `--scope`: the only one that the run writes. */
  readonly scope: string | null
  /** `--reads`: others whose results it takes. */
  readonly reads: readonly string[]
}

export const sharedPlace = ({
  study,
  service,
  options,
}: Pick<RunRequest, 'study' | 'service' | 'options'>): SharedPlace => ({
  study: study.name,
  service: service.label,
  apart: foldersApart(study),
  scope: options.scope,
  reads: options.reads,
})

/** Without `--scope` the folder is `main`, so no label may have that name. */
export function requireScopes({ scope, reads }: Pick<SharedPlace, 'scope' | 'reads'>): void {
  if (scope === MAIN_SCOPE)
    throw new RunRefusalError(
      'usage',
      'shared_state',
      `--scope ${MAIN_SCOPE}: in a shared state this is the name of the results without --scope; leave it out, or take another label`,
    )
  if (reads.includes(scope ?? MAIN_SCOPE))
    throw new RunRefusalError(
      'usage',
      'shared_state',
      '--reads names the scope of the run itself, which it reads anyway',
    )
}

/** The place of a study's state under a scope, ending in `/`. Its first part is the scope, so that rights can be given by prefix. */
export function sharedFolder(
  { study, service, apart }: { readonly study: string; readonly service: string; readonly apart: readonly string[] },
  scope: string,
): string {
  return `${[scope, study, service, ...apart].join('/')}/`
}

/** Where manifest, page and records of runs are, under the names that they have in an output folder. */
export const resultsFolder = (own: string): string => `${own}results/`

/** The run lock of a study under a scope. */
export const sharedLockKey = (
  { studyName, service }: { readonly studyName: string; readonly service: string },
  scope: string | undefined,
): string => `${sharedFolder({ study: studyName, service, apart: [] }, scope ?? MAIN_SCOPE)}lock`

/** Entries of a scope, by their content. */
export const artifactKey = (scope: string, sha256: string): string => `${scope}/artifacts/${sha256}`
