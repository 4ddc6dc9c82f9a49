// Facts about processes from /proc; nothing about ended ones.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Z when it has ended and its parent has not asked how. */
  readonly state: string
  /** Of itself, and of its children that have ended. */
  readonly cpuSeconds: number
}

/** Ticks per second of the times in /proc, on every Linux. */
const TICKS = 100

/** Ids of the processes of a group that still run. */
export function processesOfGroup(group: number): readonly number[] {
  return processes()
    .filter((process) => process.group === group && process.state !== 'Z')
    .map(({ pid }) => pid)
}

/** The parent of a process; 0 when it is gone. */
export function parentOf(pid: number): number {
  return processes().find((process) => process.pid === pid)?.parent ?? 0
}

/** Processor seconds so far of a process and all that belong to its group. */
export function cpuOfGroup(group: number): number {
  return cpuSeconds(processes().filter((process) => process.group === group))
}

/** Processor seconds so far of a process and its children, as a database server and its connections. */
export function cpuOfFamily(pid: number): number {
  return cpuSeconds(processes().filter((process) => process.pid === pid || process.parent === pid))
}

/** Resident bytes of a process. */
export function rssBytes(pid: number): number {
  return memoryBytes(pid, 'VmRSS')
}

/** Resident bytes of a process with all of its group. */
export function groupRssBytes(group: number): number {
  return processesOfGroup(group).reduce((sum, pid) => sum + rssBytes(pid), 0)
}

/** Resident bytes of a process now and at most, and the most of the largest other process of its group. */
export function memoryOfGroup(group: number): { leader: number; leaderPeak: number; otherPeak: number } {
  const others = processesOfGroup(group).filter((pid) => pid !== group)
  return {
    leader: rssBytes(group),
    leaderPeak: memoryBytes(group, 'VmHWM'),
    otherPeak: Math.max(0, ...others.map((pid) => memoryBytes(pid, 'VmHWM'))),
  }
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

function memoryBytes(pid: number, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

function processes(): readonly Process[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readText(`/proc/${name}/stat`)
      if (stat === '') return []
      // The name of the program, in brackets, may hold anything.
      const [state = '', parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = rest.slice(8, 12).reduce((sum, field) => sum + Number(field), 0)
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), state, cpuSeconds: ticks / TICKS }]
    })
}

function cpuSeconds(found: readonly Process[]): number {
  return found.reduce((sum, process) => sum + process.cpuSeconds, 0)
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
