import { RunRefusalError } from '../interface/exit-code.ts'
import type { SharedStore } from '../interface/shared-store.ts'
import type { StudyState } from '../plan/study-state.ts'
import { applyChange, type MutableState } from '../state/journal.ts'
import { stateOf } from '../state/recover-state.ts'
import { MAIN_SCOPE, requireScopes, type SharedPlace, sharedFolder } from './shared-places.ts'
import { readSharedFiles } from './shared-state.ts'
import { trustedWork } from './trusted-work.ts'

/** The state that a run would work with, for commands that only read. */
export async function stateInStore(store: SharedStore, place: SharedPlace): Promise<StudyState> {
  requireScopes(place)
  const { scope, reads } = place
  const [state, ...trusted] = (await Promise.all(
    [scope ?? MAIN_SCOPE, ...reads].map((read) => readScope(store, place, read)),
  )) as [MutableState, ...MutableState[]]
  for (const other of trusted)
    for (const change of trustedWork(state, other, scope)) applyChange(state, change, state.serial + 1)
  return state
}

/** What a scope knows of a study. */
export async function readScope(store: SharedStore, place: SharedPlace, scope: string): Promise<MutableState> {
  const folder = sharedFolder(place, scope)
  const { snapshot, journal } = await readSharedFiles(store, folder)
  const lines = journal.split('\n').filter((line) => line !== '')
  const { state } = await stateOf({ snapshot, lines }, (what, cause) => {
    const message = `${what} in ${folder} of the shared state is not readable; remove that folder there, or leave out --reads`
    return new RunRefusalError('usage', 'state_unreadable', message, { cause })
  })
  return state
}
