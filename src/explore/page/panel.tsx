import type { ComponentChildren } from 'preact'

interface PanelProps {
  readonly title: string
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  readonly children: ComponentChildren
}

/** What is asked for on demand: nothing of it is asked or made while it is closed. */
export function Panel({ title, isOpen, setOpen, children }: PanelProps) {
  return (
    <details class="panel" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
