import { mkdir, readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { OPERATOR_TOKEN, type ServedProcess, serve } from '../../test/service/served-process.ts'
import { processesOfGroup } from './processes.ts'

/** One process of a team: the real binary, started again and again at its address and with its folder. */
export class Member {
  readonly name: string
  readonly url: string
  readonly folder: string
  readonly #port: number
  readonly #env: Readonly<Record<string, string>>
  #process: ServedProcess | null = null

  constructor(name: string, place: { port: number; folder: string; env: Readonly<Record<string, string>> }) {
    this.name = name
    this.folder = place.folder
    this.#port = place.port
    this.#env = place.env
    this.url = `http://127.0.0.1:${place.port}`
  }

  /** Resolves when it listens. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    this.#process = await serve(this.folder, { port: this.#port, env: { ...this.#env, ...env } })
  }

  get pid(): number {
    return this.#served.pid
  }

  /** SIGKILL to the process alone, as the system's killer sends it: those that it had started are to end by themselves. */
  async kill(): Promise<void> {
    const { pid } = this
    this.#served.signal('SIGKILL')
    while (processesOfGroup(pid).includes(pid)) await wait(5)
  }

  /** Stops it with all its processes, as a machine that stands still. */
  freeze(): void {
    process.kill(-this.pid, 'SIGSTOP')
  }

  thaw(): void {
    process.kill(-this.pid, 'SIGCONT')
  }

  signal(name: NodeJS.Signals): void {
    this.#served.signal(name)
  }

  /** By SIGTERM; the exit code. */
  async stop(): Promise<number | null> {
    return await this.#served.stop()
  }

  /** The last lines that it has logged since its start, newest last. */
  log(): readonly Readonly<Record<string, unknown>>[] {
    return this.#served
      .log()
      .split('\n')
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Record<string, unknown>]
        } catch {
          return []
        }
      })
  }

  /** Kinds of the jobs that it has begun and not ended, going by its log. */
  jobsAtHand(): readonly string[] {
    const atHand = new Map<unknown, string>()
    for (const { msg, jobId, kind } of this.log()) {
      if (msg === 'job.begun') atHand.set(jobId, String(kind))
      else if (msg === 'job.ended') atHand.delete(jobId)
    }
    return [...atHand.values()]
  }

  /** A metric of the process, summed up over its labels; null when it has none of that name. */
  async metric(name: string): Promise<number | null> {
    return metricOf(await this.metrics(), name)
  }

  /** All its metrics in one look. */
  async metrics(): Promise<string> {
    const answer = await fetch(`${this.url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
    return await answer.text()
  }

  /** Files in its data folder. */
  async files(): Promise<number> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile()).length
  }

  /** Ends whatever is left of it. */
  async end(): Promise<void> {
    await this.#process?.kill()
    this.#process = null
  }

  get #served(): ServedProcess {
    if (this.#process === null) throw new Error(`${this.name} was never started`)
    return this.#process
  }
}

/** A metric in the text that `/metrics` answers with, likewise. */
export function metricOf(text: string, name: string): number | null {
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
  return values.length === 0 ? null : values.reduce((sum, [, value]) => sum + Number(value), 0)
}
