import type { LineList } from './parsed-records.ts'

/** `line 7`, `lines 7, 9, 12, 13, 20 …`. */
export function lineText({ count, lines }: LineList): string {
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ' …' : ''}`
}
