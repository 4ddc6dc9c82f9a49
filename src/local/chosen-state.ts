import { escapeText } from '../base/text/escape-text.ts'
import type { ObjectStorage } from '../objects/object-storage.ts'
import type { SharedStore } from '../runner/interface/shared-store.ts'
import { SetupError } from './setup-error.ts'
import { readStateFile, STATE_FILE } from './state-file.ts'
import type { Advice } from './storage-trouble.ts'

export interface StateFlags {
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

/** What a caller says of the place of the state: a command in variables, a program in options. */
export interface StatePlace {
  /** `s3://BUCKET/PREFIX`; `none`: this disk; absent or empty: what the project's own file says. */
  readonly named: string | undefined
  /** Of the variable or option, for messages. */
  readonly name: string
  /** How to set it, for messages. */
  readonly example: string
  /** How to keep the state on this disk, for messages. */
  readonly off: string
  readonly flagName: (flag: 'reads' | 'download') => string
  readonly storage: () => Omit<ObjectStorage, 'bucket' | 'prefix'>
  /** Absent: what a command says. */
  readonly advice?: Advice
}

/**
 * The state that the caller, the project's own file and the flags name; null: it is on this disk.
 *
 * @throws SetupError
 */
export async function chooseState(
  flags: StateFlags,
  place: StatePlace,
  projectRoot: string,
): Promise<ChosenState | null> {
  const { named, name } = place
  const file = named === 'none' ? null : await readStateFile(projectRoot)
  const where = named ? { text: named, from: name } : { text: file?.bucket, from: STATE_FILE }
  if (where.text === undefined || named === 'none') {
    for (const flag of ['reads', 'download'] as const)
      if (flags[flag] !== undefined)
        throw new SetupError(
          2,
          `${place.flagName(flag)} is about the state in a bucket: set ${place.example}, or leave it out`,
        )
    return null
  }
  const storage = storageOf(where.text, where.from, place)
  const scope = flags.scope ?? file?.scope
  // Of the file, which all scopes share; what an option says of the run's own scope is a mistake.
  const reads = flags.reads ?? file?.reads.filter((read) => read !== (scope ?? 'main')) ?? []
  // Loaded late: most runs have their state on this disk.
  const { stateBucket } = await import('./state-bucket.ts')
  return { store: stateBucket(storage, place.advice, place.off), scope, reads }
}

function storageOf(text: string, from: string, place: StatePlace): ObjectStorage {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(text) ?? []
  const parts = path.split('/').filter((part) => part !== '')
  if (bucket === undefined || parts.some((part) => /^\.+$/.test(part)))
    throw new SetupError(
      2,
      `${from}: expected s3://BUCKET or s3://BUCKET/PREFIX, such as s3://team-state/whatif, found ${escapeText(text)}`,
      from === place.name ? `${place.off} keeps the state on this disk.` : undefined,
    )
  const prefix = parts.map((part) => `${part}/`).join('')
  return { ...place.storage(), bucket, prefix }
}

/** The options of a run with what the project's file adds to them. */
export function withState<F extends StateFlags>(flags: F, state: ChosenState | null): F {
  return state === null
    ? flags
    : { ...flags, reads: state.reads, ...(state.scope !== undefined && { scope: state.scope }) }
}
