import type {
  EstimateRecord,
  ExistingRecord,
  emptyState,
  GenerationRecord,
  ScenarioRecord,
  UploadRecord,
} from '../../plan/study-state.ts'

/**
 * A change of the state, as one line of the journal. `set` holds the fields that change; the first entry for an id
 * holds all of them.
 */
export type Change =
  | { readonly kind: 'study'; readonly path: string }
  | { readonly kind: 'upload'; readonly id: string; readonly set: Partial<UploadRecord>; readonly forced?: boolean }
  | {
      readonly kind: 'generation'
      readonly id: string
      readonly set: Partial<GenerationRecord>
      readonly forced?: boolean
    }
  /** A request that was prepared and never sent: its record is what it was before. */
  | { readonly kind: 'withdrawn'; readonly id: string; readonly before: GenerationRecord | null }
  | { readonly kind: 'existing'; readonly id: string; readonly set: Partial<ExistingRecord> }
  | { readonly kind: 'scenario'; readonly id: string; readonly set: ScenarioRecord }
  /** A seed drawn for a scenario; null once the scenario is done. */
  | { readonly kind: 'seed'; readonly id: string; readonly seed: number | null }
  /** What was learnt of a difference; null forgets it. */
  | { readonly kind: 'estimate'; readonly id: string; readonly set: EstimateRecord | null }
  /** A run came to its end with nothing pending: what it forced may be forced again. */
  | { readonly kind: 'settled' }

/** `Change` with its place in the order of all changes and its time. */
export type Entry = Change & { readonly v: 1; readonly serial: number; readonly at: string }

/** The state while it is being changed. */
export type MutableState = ReturnType<typeof emptyState>

/** Applies a change. Records are replaced, never altered, so whoever holds one keeps what they saw. */
export function applyChange(state: MutableState, change: Change, serial: number): void {
  state.serial = serial
  switch (change.kind) {
    case 'study':
      state.studyPath = change.path
      return
    case 'upload':
      merge(state.uploads, change.id, change.set)
      if (change.forced) state.forced.add(change.id)
      return
    case 'generation':
      merge(state.generations, change.id, change.set)
      if (change.forced) state.forced.add(change.id)
      return
    case 'withdrawn':
      if (change.before === null) state.generations.delete(change.id)
      else state.generations.set(change.id, change.before)
      return
    case 'existing':
      merge(state.existing, change.id, change.set)
      return
    case 'scenario':
      state.scenarios.set(change.id, change.set)
      return
    case 'seed':
      if (change.seed === null) state.seeds.delete(change.id)
      else state.seeds.set(change.id, change.seed)
      return
    case 'estimate':
      // Put behind the others, which are older.
      state.estimates.delete(change.id)
      if (change.set !== null) state.estimates.set(change.id, change.set)
      return
    case 'settled':
      state.forced.clear()
      return
  }
}

function merge<R extends object>(records: Map<string, R>, id: string, set: Partial<R>): void {
  records.set(id, { ...records.get(id), ...set } as R)
}
