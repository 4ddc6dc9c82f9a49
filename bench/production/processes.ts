// What /proc tells of processes; nothing where there is none.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Ids of the processes of a group that still run. */
export function processesOfGroup(groupId: number): readonly number[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      // Behind the name, which may hold anything: state, parent, group.
      const [state, , group] = readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
      return Number(group) === groupId && state !== 'Z'
    })
}

/** Resident bytes of a process; 0 when it is gone. */
export function rssBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

/** Resident bytes of a process with all of its group. */
export function groupRssBytes(groupId: number): number {
  return processesOfGroup(groupId).reduce((sum, pid) => sum + rssBytes(pid), 0)
}

/** File descriptors that a process has open. */
export function openDescriptors(pid: number): number {
  return namesIn(`/proc/${pid}/fd`).length
}

/** Files below a folder that a process has open. */
export function openFiles(pid: number, folder: string): readonly string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/${pid}/fd/${descriptor}`)
      return path.startsWith(`${folder}/`) ? [path] : []
    } catch {
      return []
    }
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
