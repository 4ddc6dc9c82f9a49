import { processExists } from '../../src/base/this-process.ts'

/** Begins the names of what a process of this test makes on its machine, with the id of that process. Interfaces have 15 characters. */
export const labelOf = (pid: number): string => `wf${pid.toString(36)}.`

/** Whether the process that made something of this name is still there; null: it is nothing of ours. */
export function ownerOf(name: string): 'there' | 'gone' | null {
  const [, pid] = /^wf([0-9a-z]+)\./.exec(name) ?? []
  if (pid === undefined) return null
  return processExists(Number.parseInt(pid, 36)) ? 'there' : 'gone'
}
