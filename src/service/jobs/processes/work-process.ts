import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { WhatifError } from '../../../base/whatif-error.ts'
import { JobFailedError } from './job-failed-error.ts'
import { letGiveWay } from './priority.ts'
import { LIMIT_PASSED } from './process-limits.ts'
import type { FromWorker, TaskControl, ToWorker } from './task-protocol.ts'

/**
 * What ended a process: it exceeded one of our limits (memory, time, space), it crashed, the system killed it because
 * the machine ran out of memory (`starved`), or somebody else killed it, which says nothing about its work.
 */
export type DeathCause = 'memory' | 'time' | 'space' | 'crash' | 'killed' | 'starved'

/** A work process ended in the middle of a task. */
export class ProcessDeathError extends WhatifError {
  readonly deathCause: DeathCause
  /** The task's stage; null if it had not begun. */
  readonly stage: string | null

  constructor(deathCause: DeathCause, stage: string | null, ending: string) {
    super(deathCause, `The work process ended (${ending}) while ${stage ?? 'starting'}.`)
    this.deathCause = deathCause
    this.stage = stage
  }

  /** Whether one of our limits ended it. */
  get isOfLimit(): boolean {
    return ['memory', 'time', 'space'].includes(this.deathCause)
  }
}

/** Most stored characters of a process's stderr. */
const STDERR_TAIL = 4_000

/**
 * Variables that a process needs to find its folders and its language. It gets no others, because they may be secrets.
 */
const ENVIRONMENT = ['TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT']

export interface WorkProcessOptions {
  /** Resident memory at which the process ends itself; JavaScript objects may take half of it. */
  readonly memoryBytes: number
  /** Whether the system prefers other processes to it; default: no. */
  readonly givesWay?: boolean
}

/** A forked process that runs tasks of one kind, one at a time. It does not keep this process alive while idle. */
export class WorkProcess<Task, Result> {
  readonly #child: ChildProcess
  #stderr = ''
  #uses = 0
  #failure: Error | null = null

  constructor(entry: URL, { memoryBytes, givesWay = false }: WorkProcessOptions) {
    const env: NodeJS.ProcessEnv = {}
    for (const name of ENVIRONMENT) if (process.env[name] !== undefined) env[name] = process.env[name]
    this.#child = fork(entry, [String(memoryBytes)], {
      env,
      execArgv: [`--max-old-space-size=${Math.floor(memoryBytes / 2 ** 21)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    // Before it starts threads, because they inherit the priority.
    if (givesWay) letGiveWay(this.#child.pid)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL)
    })
    this.#child.on('error', (error) => {
      this.#failure = error
    })
    this.#hold(false)
  }

  /** Tasks begun so far. */
  get uses(): number {
    return this.#uses
  }

  get isAlive(): boolean {
    return this.#failure === null && this.#child.connected && !this.#hasEnded
  }

  /**
   * Rejects with the signal's reason once the process has ended because of it, with a ProcessDeathError, or with a
   * JobFailedError for a refused or failed task.
   */
  async run(task: Task, { signal, onProgress }: TaskControl): Promise<Result> {
    signal.throwIfAborted()
    const child = this.#child
    const onAbort = (): void => void child.kill('SIGKILL')
    let stage: string | null = null
    let onError: (error: Error) => void = () => undefined
    const starvedBefore = starvedSoFar()
    this.#uses++
    this.#hold(true)
    try {
      return await new Promise<Result>((resolve, reject) => {
        child.on('message', (message: FromWorker<Result>) => {
          if (message.type === 'progress') {
            stage = message.stage
            onProgress(message)
          } else if (message.type === 'done') resolve(message.result)
          else if (message.type === 'refused') reject(new JobFailedError(message.code, message.detail))
          else reject(defect(message.error))
        })
        // Not `exit`: the process's last output may still be on its way then.
        child.once('close', () => reject(this.#death(stage, starvedBefore)))
        onError = reject
        child.once('error', onError)
        signal.addEventListener('abort', onAbort, { once: true })
        // `close` handles messages that cannot be sent.
        child.send({ type: 'run', task } satisfies ToWorker<Task>, () => undefined)
      })
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', onAbort)
      for (const event of ['message', 'close'] as const) child.removeAllListeners(event)
      child.off('error', onError)
      this.#hold(false)
    }
  }

  /** Ends the process; resolves when it has exited. */
  async end(): Promise<void> {
    if (this.#hasEnded || this.#child.pid === undefined) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  #hold(isHeld: boolean): void {
    const child = this.#child
    const parts = [child, child.channel, child.stderr as Socket | null]
    for (const part of parts) {
      if (isHeld) part?.ref()
      else part?.unref()
    }
  }

  #death(stage: string | null, starvedBefore: number): ProcessDeathError {
    const { exitCode, signalCode } = this.#child
    const ending = signalCode ?? `exit code ${exitCode}`
    const said = this.#stderr
    if (said.includes(LIMIT_PASSED.space)) return new ProcessDeathError('space', stage, 'limit of disk space')
    if (said.includes(LIMIT_PASSED.time)) return new ProcessDeathError('time', stage, 'time limit')
    if (said.includes(LIMIT_PASSED.memory) || /heap out of memory|bad_alloc/i.test(said)) {
      return new ProcessDeathError('memory', stage, 'memory limit')
    }
    if (signalCode === 'SIGKILL' && starvedSoFar() > starvedBefore)
      return new ProcessDeathError('starved', stage, ending)
    return new ProcessDeathError(
      signalCode === 'SIGKILL' || signalCode === 'SIGTERM' ? 'killed' : 'crash',
      stage,
      ending,
    )
  }
}

/** A task that threw would throw again, so it is not repeated. A full disk may have space later. */
function defect(cause: unknown): unknown {
  if (cause instanceof Error && /ENOSPC|no space left/i.test(cause.message)) return cause
  return new JobFailedError('svc_internal', 'The service failed unexpectedly.', { cause })
}

/**
 * Number of processes that this machine's kernel has killed for lack of memory since it started (`oom_kill` in
 * /proc/vmstat, proc(5)). If a work process gets SIGKILL while this number rises, it was one of them, because it
 * volunteers as the first victim. 0 if the system does not report it.
 */
export function starvedSoFar(path = '/proc/vmstat'): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
