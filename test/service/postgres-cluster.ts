import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'

const OLDEST_MAJOR = 15
const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** The folder with `initdb` and `postgres` of a server that the service runs on, or why there is none. */
export function findPostgres(): { binaries: string } | { missing: string } {
  const found: string[] = []
  for (const binaries of [...debianFolders(), ...(process.env.PATH ?? '').split(delimiter)]) {
    if (!['initdb', 'postgres'].every((name) => isExecutable(join(binaries, name)))) continue
    const version = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
    found.push(version)
    if (Number(/(\d+)(\.|devel|beta|rc|\s|$)/.exec(version)?.[1]) < OLDEST_MAJOR) continue
    if (process.getuid?.() === 0 && serverUser() === null) return { missing: 'no user "postgres" to run the server as' }
    return { binaries }
  }
  return { missing: `no PostgreSQL ${OLDEST_MAJOR} or newer is installed (found: ${found.join(', ') || 'none'})` }
}

function debianFolders(): string[] {
  try {
    const versions = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(a) - Number(b))
    return versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'))
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root: the user that runs it then; null if there is none. */
function serverUser(): { uid: number; gid: number } | null {
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    return null
  }
}

/**
 * Runs the server until standard input ends, which it also does when the process that started it is killed: then the
 * server is stopped, and its folder removed unless a line on standard input has said that it will be started again: after
 * "keep", or after "crash", which ends it at once and has the next start recover it.
 */
const KEEPER = `
folder=$1; shift
{ "$@"; echo 'The server has ended.' >&2; } &
trap '' INT TERM
keep=no
while read -r word; do keep=$word; done
signal=INT
[ "$keep" = crash ] && signal=QUIT
kill -$signal "$(head -n 1 "$folder/data/postmaster.pid")"
wait
[ "$keep" != no ] || rm -rf "$folder"
`

/** A throw-away PostgreSQL server in a temporary folder, reached by a socket in it; nothing in it outlives the tests. */
export class PostgresCluster {
  readonly #binaries: string
  readonly #folder: string
  readonly #user: { uid: number; gid: number } | undefined
  #settings: readonly string[] = []
  #keeper: ChildProcess | null = null

  private constructor(binaries: string) {
    this.#binaries = binaries
    this.#folder = mkdtempSync(join(tmpdir(), 'whatif-pg-'))
    this.#user = process.getuid?.() === 0 ? (serverUser() ?? undefined) : undefined
    if (this.#user !== undefined) chownSync(this.#folder, this.#user.uid, this.#user.gid)
    chmodSync(this.#folder, 0o700)
  }

  /** `settings` come behind those of every cluster, as `name=value`. */
  static async start(binaries: string, settings: readonly string[] = []): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(binaries)
    cluster.#settings = settings
    try {
      const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
      execFileSync(join(binaries, 'initdb'), ['-D', cluster.#data, ...options], {
        stdio: 'pipe',
        cwd: cluster.#folder,
        ...cluster.#user,
      })
      await cluster.start()
    } catch (error) {
      rmSync(cluster.#folder, { recursive: true, force: true })
      throw error
    }
    return cluster
  }

  /** Address of a database; it need not exist. */
  url(database = 'postgres'): string {
    return `postgresql://postgres@/${database}?host=${encodeURIComponent(this.#folder)}`
  }

  /** Writes a file of its configuration; `pg_reload_conf()` or a restart makes it count. */
  configure(name: string, text: string): void {
    const path = join(this.#data, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (this.#user !== undefined) chownSync(path, this.#user.uid, this.#user.gid)
  }

  async start(): Promise<void> {
    const settings = [
      'listen_addresses=',
      'fsync=off',
      'max_connections=200',
      `unix_socket_directories=${this.#folder}`,
      ...this.#settings,
    ]
    const server = [
      join(this.#binaries, 'postgres'),
      '-D',
      this.#data,
      ...settings.flatMap((setting) => ['-c', setting]),
    ]
    const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', this.#folder, ...server], {
      stdio: ['pipe', 'ignore', 'pipe'],
      cwd: this.#folder,
      ...this.#user,
    })
    this.#keeper = keeper
    let log = ''
    keeper.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-4000)
    })
    await new Promise<void>((resolve, reject) => {
      keeper.stderr?.on('data', () => {
        if (log.includes('ready to accept connections')) resolve()
        else if (log.includes('The server has ended.')) reject(new Error(`PostgreSQL does not start: ${log}`))
      })
      keeper.once('error', reject)
      keeper.once('exit', () => reject(new Error(`PostgreSQL does not start: ${log}`)))
    })
  }

  /** Stops the server as its operator would: connections end at once, what was committed stays. */
  async stop(): Promise<void> {
    await this.#end('keep\n')
  }

  /** Ends the server at once, as a crash would: it recovers at the next start. */
  async crash(): Promise<void> {
    await this.#end('crash\n')
  }

  async remove(): Promise<void> {
    if (this.#keeper === null) rmSync(this.#folder, { recursive: true, force: true })
    else await this.#end('')
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  async #end(word: string): Promise<void> {
    const keeper = this.#keeper
    this.#keeper = null
    if (keeper === null) return
    const gone = once(keeper, 'exit')
    keeper.stdin?.end(word)
    await gone
  }
}

/** Makes an empty database on the server of `url` and gives its address; `remove` ends open connections. */
export async function createDatabase(url: string, name: string): Promise<{ url: string; remove(): Promise<void> }> {
  await onServer(url, `create database ${name} encoding 'UTF8' template template0`)
  // The name is between the authority and the query, whatever form the rest has.
  const own = url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`)
  return { url: own, remove: async () => await onServer(url, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
