import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const BINARY = join(import.meta.dirname, '../../bin/whatif.js')
export const OPERATOR_TOKEN = 'operator-token-of-a-served-process'

/**
 * Node's option for a service that lives for seconds: it does not optimize the embedded database, which is WebAssembly. That
 * takes more processor time than most tests' requests, and changes nothing that the service does.
 */
export const SHORT_LIVED = '--liftoff-only'

/** The real binary, `whatif serve`, in a process group of its own. */
export interface ServedProcess {
  readonly baseUrl: string
  /** Also the id of its group. */
  readonly pid: number
  /** Kills the whole group with SIGKILL and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to stop by SIGTERM; the exit code. */
  stop(): Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Its stderr so far. */
  log(): string
}

/** The process ended before it listened. */
export class NotServedError extends Error {
  readonly code: number | null
  constructor(code: number | null, log: string) {
    super(`whatif serve ended with ${code}: ${log}`)
    this.code = code
  }
}

export interface ServeOptions {
  /** Default: any free one. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** Default: 1; null: as many as `whatif serve` takes by itself. */
  readonly threads?: number | null
  /** The process is killed after this time, whether or not it listens. */
  readonly killedAfterMs?: number
}

/** Starts a service and waits until it listens. */
export async function serve(dataDir: string, options: ServeOptions = {}): Promise<ServedProcess> {
  const threads = options.threads === null ? [] : ['--threads', String(options.threads ?? 1)]
  const flags = ['--data', dataDir, '--port', String(options.port ?? 0), ...threads, '--json']
  const child = spawn(process.execPath, [SHORT_LIVED, BINARY, 'serve', ...flags], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN, ...options.env },
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    // Lines of requests are many, and no test reads them.
    log = `${log}${text}`.slice(-100_000)
  })
  const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const timer =
    options.killedAfterMs === undefined ? undefined : setTimeout(() => killGroup(child), options.killedAfterMs)
  let baseUrl = ''
  for await (const line of createInterface({ input: child.stdout })) {
    baseUrl = (JSON.parse(line) as { base_url: string }).base_url
    break
  }
  if (baseUrl === '') {
    const [code] = await gone
    clearTimeout(timer)
    throw new NotServedError(code, log)
  }
  return {
    baseUrl,
    pid: child.pid as number,
    kill: async () => {
      clearTimeout(timer)
      killGroup(child)
      await gone
    },
    stop: async () => {
      clearTimeout(timer)
      child.kill('SIGTERM')
      return (await gone)[0]
    },
    signal: (name) => void child.kill(name),
    log: () => log,
  }
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGKILL')
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Below the range that systems hand out by themselves; the one above is that of the layers of faults (`run/faults`). */
const LASTING_PORTS = { from: 20_000, to: 26_000 }

/**
 * A port that is free now, and that no other process gets: a service that is started again and again keeps its address,
 * and with it the audience of its tokens.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LASTING_PORTS.from, LASTING_PORTS.to)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
