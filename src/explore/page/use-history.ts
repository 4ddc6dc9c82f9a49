import { useRef, useState } from 'preact/hooks'

export interface History<State> {
  readonly state: State
  /** `stroke`: what is dragged or typed; its changes are undone together. */
  readonly change: (next: State, stroke?: string) => void
  /** Null: there is nothing to undo. */
  readonly undo: (() => void) | null
  readonly redo: (() => void) | null
}

/** A state whose changes can be undone. */
export function useHistory<State>(first: State): History<State> {
  const [{ past, state, future }, set] = useState<{
    readonly past: readonly State[]
    readonly state: State
    readonly future: readonly State[]
  }>({ past: [], state: first, future: [] })
  const dragged = useRef<string | undefined>(undefined)
  return {
    state,
    change(next, stroke) {
      const goesOn = stroke !== undefined && stroke === dragged.current
      dragged.current = stroke
      set((now) => ({ past: goesOn ? now.past : [...now.past, now.state], state: next, future: [] }))
    },
    undo:
      past.length === 0
        ? null
        : () => {
            dragged.current = undefined
            set({ past: past.slice(0, -1), state: past.at(-1)!, future: [...future, state] })
          },
    redo:
      future.length === 0
        ? null
        : () => {
            dragged.current = undefined
            set({ past: [...past, state], state: future.at(-1)!, future: future.slice(0, -1) })
          },
  }
}
