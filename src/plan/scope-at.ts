import type { Scope } from '../study/hashing/request-key.ts'

/** The scope part of a request key: epochs of their own for each `--scope` label, and for no label. */
export function scopeAt(label: string | null, epoch: number): Scope {
  return label === null ? { kind: 'epoch', epoch } : { kind: 'label', label, epoch }
}
