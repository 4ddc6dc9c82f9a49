import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** As other machines without the right to raise them may have them; enough for everything here. */
const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']

/** How one container runs. */
export interface ContainerOptions {
  readonly name: string
  readonly command: readonly string[]
  /** What Podman's command line takes. */
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Places in the container, and the folder or file of this machine that is there; read-only with `:ro` behind it. */
  readonly mounts?: Readonly<Record<string, string>>
}

/** Containers without images: each has a root of its own with this machine's /usr in it, read-only. */
export class Podman {
  readonly #folder: string
  readonly #global: readonly string[]
  readonly #names = new Set<string>()

  private constructor(runtime: string | null) {
    this.#folder = mkdtempSync(join(tmpdir(), 'whatif-podman-'))
    // Nothing of this goes into the machine's own store of images and containers.
    this.#global = [
      ...(runtime === null ? [] : ['--runtime', runtime]),
      ...['--root', join(this.#folder, 'store'), '--runroot', join(this.#folder, 'run')],
      // The other drivers mount something there for as long as the machine runs.
      ...['--storage-driver', 'vfs'],
    ]
  }

  /** Podman as it works on this machine, or why it does not. */
  static find(): Podman | { readonly missing: string } {
    if (process.getuid?.() !== 0) return { missing: 'needs root' }
    if (spawnSync('podman', ['--version']).status !== 0) return { missing: 'needs Podman' }
    // crun, the usual runtime, refuses machines with control groups of both versions; runc does not.
    const refusals = [null, 'runc'].map((runtime) => {
      const podman = new Podman(runtime)
      try {
        const args = podman.#argsOf({ name: 'tried', command: ['true'], flags: ['--rm', '--network', 'none'] })
        execFileSync('podman', args, { stdio: 'pipe' })
        return podman
      } catch (error) {
        podman.remove()
        return String((error as { stderr?: Buffer }).stderr ?? error).trim()
      }
    })
    const works = refusals.find((result) => result instanceof Podman)
    return works ?? { missing: `Podman runs no container: ${refusals.join('; ')}` }
  }

  /** Starts a container that goes on. */
  async start(options: ContainerOptions): Promise<void> {
    await run('podman', this.#argsOf({ ...options, flags: ['--detach', ...(options.flags ?? [])] }))
  }

  /** Runs a container to its end; what it printed, and its exit code. */
  async run(options: ContainerOptions): Promise<{ code: number; stdout: string; stderr: string }> {
    return await codeOf(run('podman', this.#argsOf(options)))
  }

  /** A command in a container that runs. */
  async exec(name: string, command: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return await codeOf(run('podman', [...this.#global, 'exec', name, ...command]))
  }

  /** Asks it to stop, and kills it after `seconds`; the exit code. */
  async stop(name: string, seconds: number): Promise<number> {
    await run('podman', [...this.#global, 'stop', '--time', String(seconds), name])
    const { stdout } = await run('podman', [...this.#global, 'inspect', '--format', '{{.State.ExitCode}}', name])
    return Number(stdout)
  }

  async logs(name: string): Promise<string> {
    const { stdout, stderr } = await run('podman', [...this.#global, 'logs', name])
    return `${stdout}${stderr}`
  }

  /** Removes all containers, and what they wrote. */
  remove(): void {
    for (const name of this.#names) spawnSync('podman', [...this.#global, 'rm', '--force', '--time', '0', name])
    // The monitor of a container that ended may still write there.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }

  #argsOf({ name, command, flags = [], environment = {}, mounts = {} }: ContainerOptions): string[] {
    this.#names.add(name)
    const root = join(this.#folder, 'roots', name)
    makeRoot(root)
    return [
      ...[...this.#global, 'run', '--name', name, '--hostname', name, '--log-driver', 'k8s-file', ...LIMITS],
      // As Docker: a read-only root has no writable folder that is not asked for.
      ...['--read-only-tmpfs=false', '--volume', '/usr:/usr:ro', ...flags],
      ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ...Object.entries(mounts).flatMap(([place, source]) => {
        const [path, mode] = source.split(/:(?=ro$)/)
        return ['--volume', `${path}:${place}${mode === undefined ? '' : `:${mode}`}`]
      }),
      ...['--rootfs', root, ...command],
    ]
  }
}

async function codeOf(
  command: Promise<{ stdout: string; stderr: string }>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await command) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string }
    if (typeof code !== 'number') throw error
    return { code, stdout, stderr }
  }
}

function makeRoot(root: string): void {
  for (const name of ['usr', 'etc', 'proc', 'sys', 'dev', 'tmp', 'run/secrets', 'var/log', 'var/lib', 'opt', 'data'])
    mkdirSync(join(root, name), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${name}`, join(root, name))
  const users = { root: 0, postgres: 999, node: 1000, nobody: 65534 }
  const lines = (line: (name: string, id: number) => string): string =>
    Object.entries(users)
      .map(([name, id]) => `${line(name, id)}\n`)
      .join('')
  writeFileSync(
    join(root, 'etc/passwd'),
    lines((name, id) => `${name}:x:${id}:${id}::/tmp:/bin/sh`),
  )
  writeFileSync(
    join(root, 'etc/group'),
    lines((name, id) => `${name}:x:${id}:`),
  )
}
