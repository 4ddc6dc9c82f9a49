import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why Slurm cannot run here; null: it can. */
export const noSlurm: string | null = (() => {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = ['munged', 'slurmctld', 'slurmd', 'sbatch'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
  return missing.length === 0 ? null : `needs slurm-wlm and munge; there is no ${missing.join(', ')}`
})()

export interface SlurmNode {
  /** For the environment of its commands. */
  readonly conf: string
  readonly stop: () => Promise<void>
}

/** Slurm with one node, this machine, and its own folder, ports and key: it touches no other that may run here. */
export async function startSlurm(): Promise<SlurmNode> {
  const folder = mkdtempSync(join(tmpdir(), 'whatif-slurm-'))
  const at = (name: string) => join(folder, name)
  for (const name of ['state', 'spool', 'run']) mkdirSync(at(name))
  // munged wants a folder that others may enter, and a key that they may not read.
  mkdirSync(at('munge'), { mode: 0o755 })
  writeFileSync(at('key'), randomBytes(1024), { mode: 0o600 })
  const host = hostname().split('.')[0] ?? ''
  const [controller, node] = [await freePort(), await freePort()]
  writeFileSync(
    at('slurm.conf'),
    `ClusterName=whatif
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
SlurmdPort=${node}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=${at('munge/socket')}
StateSaveLocation=${at('state')}
SlurmdSpoolDir=${at('spool')}
SlurmctldPidFile=${at('run/slurmctld.pid')}
SlurmdPidFile=${at('run/slurmd.pid')}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=${host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4096 State=UNKNOWN
PartitionName=main Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`,
  )
  const env = { ...process.env, SLURM_CONF: at('slurm.conf') }
  const munge = ['munged', '--foreground', '--force', `--key-file=${at('key')}`, `--socket=${at('munge/socket')}`]
  const daemons = [
    [...munge, `--pid-file=${at('munge/pid')}`, `--log-file=${at('munge/log')}`, `--seed-file=${at('munge/seed')}`],
    ['slurmctld', '-D'],
    ['slurmd', '-D', '-N', host],
  ].map(([name = '', ...args]) => {
    const child = spawn(name, args, { env, stdio: 'ignore' })
    return { child, ended: new Promise<void>((resolve) => child.once('close', () => resolve())) }
  })
  const stop = async () => {
    for (const { child, ended } of daemons.reverse()) {
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const end = performance.now() + 60_000
  for (;;) {
    const { stdout } = spawnSync('sinfo', ['--noheader', '--format=%t'], { env })
    if (String(stdout).trim() === 'idle') return { conf: at('slurm.conf'), stop }
    if (performance.now() > end) {
      const log = spawnSync('sinfo', [], { env }).stderr
      await stop()
      throw new Error(`Slurm did not come up: ${stdout}${log}`)
    }
    await new Promise((wake) => setTimeout(wake, 200))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

/** Ids of running processes whose command line has all of `words`. */
export function processesWith(words: readonly string[]): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='])
  return String(stdout)
    .split('\n')
    .filter((line) => words.every((word) => line.includes(word)))
    .map((line) => Number(line.trim().split(' ')[0]))
    .filter((pid) => pid !== process.pid && isNode(pid))
}

function isNode(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('node')
  } catch {
    return false
  }
}
