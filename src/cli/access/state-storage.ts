import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import type { ObjectStorage } from '../../objects/object-storage.ts'
import type { SharedStore } from '../../runner/interface/shared-store.ts'
import { readStateFile, STATE_FILE } from '../files/state-file.ts'
import { bucketAccess } from './bucket-access.ts'

interface StateFlags {
  readonly scope?: string | undefined
  readonly reads?: readonly string[] | undefined
  readonly download?: readonly string[] | undefined
}

/** The state that several machines share, and what a command writes and reads of it. */
export interface ChosenState {
  /** The caller closes it. */
  readonly store: SharedStore
  readonly scope: string | undefined
  readonly reads: readonly string[]
}

/**
 * What `WHATIF_STATE`, the project's own file and the options say; null: the state is on this disk.
 *
 * @throws SetupError
 */
export async function chosenState(
  flags: StateFlags,
  env: NodeJS.ProcessEnv,
  projectRoot: string,
): Promise<ChosenState | null> {
  const named = env.WHATIF_STATE
  const file = named === 'none' ? null : await readStateFile(projectRoot)
  const where = named ? { text: named, from: 'WHATIF_STATE' } : { text: file?.bucket, from: STATE_FILE }
  if (where.text === undefined || named === 'none') {
    for (const name of ['reads', 'download'] as const)
      if (flags[name] !== undefined)
        throw new SetupError(
          2,
          `--${name} is about the state in a bucket: set WHATIF_STATE=s3://BUCKET/PREFIX, or leave it out`,
        )
    return null
  }
  const storage = storageOf(where.text, where.from, env)
  const scope = flags.scope ?? file?.scope
  // Of the file, which all scopes share; what an option says of the run's own scope is a mistake.
  const reads = flags.reads ?? file?.reads.filter((read) => read !== (scope ?? 'main')) ?? []
  // Loaded late: most runs have their state on this disk.
  const { stateBucket } = await import('../../local/state-bucket.ts')
  return { store: stateBucket(storage), scope, reads }
}

function storageOf(text: string, from: string, env: NodeJS.ProcessEnv): ObjectStorage {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(text) ?? []
  const parts = path.split('/').filter((part) => part !== '')
  if (bucket === undefined || parts.some((part) => /^\.+$/.test(part)))
    throw new SetupError(
      2,
      `${from}: expected s3://BUCKET or s3://BUCKET/PREFIX, such as s3://team-state/whatif, found ${escapeText(text)}`,
      from === 'WHATIF_STATE' ? 'WHATIF_STATE=none keeps the state on this disk.' : undefined,
    )
  const prefix = parts.map((part) => `${part}/`).join('')
  return { ...bucketAccess(env, 'the state in a bucket'), bucket, prefix }
}

/** The options of a command with what the project's file adds to them. */
export function withState<F extends StateFlags>(flags: F, state: ChosenState | null): F {
  return state === null
    ? flags
    : { ...flags, reads: state.reads, ...(state.scope !== undefined && { scope: state.scope }) }
}
