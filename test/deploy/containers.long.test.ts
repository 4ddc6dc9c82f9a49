import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findPostgres } from '../service/postgres-cluster.ts'
import { makeClient, mint, request } from '../service/served-client.ts'
import { OPERATOR_TOKEN } from '../service/served-process.ts'
import { Networks } from './networks.ts'
import { type ContainerOptions, Podman } from './podman.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const DEPLOY = join(REPOSITORY, 'deploy')
const GUESSES = join(import.meta.dirname, 'guesses.js')

/** A container has ten guesses of the operator token at once and then one in 10 s; this many leave room for the latter. */
const MOST_GUESSES = 16

interface ComposeService {
  readonly image: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>
  readonly deploy?: { readonly replicas: number; readonly resources?: { readonly limits: { readonly memory: string } } }
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly networks: {
    readonly front: {
      readonly ipam: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] }
    }
  }
}

/** The image of the Containerfile, as flags: its files from the working folder, its user, its place and its variables. */
interface Image {
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
  readonly flags: readonly string[]
  readonly mounts: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
}

const NODE = { '/opt/bin/node': `${process.execPath}:ro` }
const PATH = { PATH: '/opt/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

const postgres = findPostgres()
const hasNginx = spawnSync('nginx', ['-v']).status === 0
const podman = 'missing' in postgres ? postgres : hasNginx ? Podman.find() : { missing: 'needs nginx' }
const missing = podman instanceof Podman ? null : podman.missing

describe.skipIf(missing !== null)(`the kits in containers${missing === null ? '' : ` (${missing})`}`, () => {
  const containers = podman as Podman
  const compose: Compose = parse(readFileSync(join(DEPLOY, 'compose/compose.yaml'), 'utf8'), { merge: true })
  const image = readImage()
  let folder: string
  // The first letters keep its interfaces apart from those of another run.
  const networks = new Networks(`wf${process.pid % 10_000}`)
  /** The address that Docker would publish at localhost: it has the one in the file, which is checked when it starts. */
  const publicUrl = `http://${addressOfProxy(compose)}:8080`

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'whatif-kits-'))
    mkdirSync(join(folder, 'secrets'))
    // The script keeps what is there: the token that the tests know, and the one key that their storage knows.
    writeFileSync(join(folder, 'secrets/operator_token'), OPERATOR_TOKEN)
    writeFileSync(join(folder, 'secrets/storage_key_id'), 'S3RVER')
    cpSync(join(DEPLOY, 'compose/make-secrets.sh'), join(folder, 'make-secrets.sh'))
    execFileSync('bash', [join(folder, 'make-secrets.sh')], { stdio: 'ignore' })
    const [front] = compose.networks.front.ipam.config
    networks.create('front', String(front?.subnet), front?.ip_range)
    networks.create('default', '172.31.251.0/24')
    await startDatabase()
    await startStorage()
  })
  afterAll(() => {
    containers?.remove()
    networks.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A folder that belongs to the user of the image, as a volume of it does. */
  function volume(name: string, owner: number, mode = 0o700): string {
    const path = join(folder, 'volumes', name)
    mkdirSync(path, { recursive: true, mode })
    chownSync(path, owner, owner)
    return path
  }

  const secret = (name: string): string => `${join(folder, 'secrets', name)}:ro`

  /** A member of networks, with the names of those that started before it. */
  function networkFlags(attached: Readonly<Record<string, string | undefined>>, names: readonly string[]): string[] {
    const { path, hosts } = networks.join(attached, names)
    return ['--network', `ns:${path}`, ...hosts.flatMap((host) => ['--add-host', host])]
  }

  function flagsOf(name: string, service: ComposeService, alias = name): string[] {
    const { networks: joined = { default: {} } } = service
    const attached = Array.isArray(joined) ? joined.map((network) => [network, {}]) : Object.entries(joined)
    const memory = service.deploy?.resources?.limits.memory
    return [
      ...networkFlags(Object.fromEntries(attached.map(([network, { ipv4_address: own }]) => [network, own])), [
        ...new Set([alias, name]),
      ]),
      ...(service.read_only === true ? ['--read-only'] : []),
      ...(service.tmpfs ?? []).flatMap((place) => ['--tmpfs', place]),
      ...(service.cap_drop ?? []).flatMap((right) => ['--cap-drop', right]),
      ...(service.security_opt ?? []).flatMap((option) => ['--security-opt', option]),
      ...(memory === undefined ? [] : ['--memory', memory]),
    ]
  }

  const secretsOf = ({ secrets = [] }: ComposeService): Record<string, string> =>
    Object.fromEntries(secrets.map((name) => [`/run/secrets/${name}`, secret(name)]))

  /** The file's environment, with the public places of this machine and the bucket of the test server. */
  function environmentOf(environment: Readonly<Record<string, string>> = {}): Record<string, string> {
    const here: Record<string, string> = {
      WHATIF_SERVE_PUBLIC_URL: publicUrl,
      WHATIF_S3_ENDPOINT: 'http://storage:8333',
      WHATIF_S3_PUBLIC_ENDPOINT: `http://${networks.addressOf('default', 'storage')}:8333`,
      WHATIF_S3_BUCKET: 'whatif-test',
    }
    return { ...image.environment, ...environment, ...here }
  }

  /** Waits until a command succeeds in a container. */
  async function healthy(name: string, command: readonly string[]): Promise<void> {
    const check = async () => {
      const { code, stderr } = await containers.exec(name, command)
      if (code !== 0) throw new Error(`${name}: ${stderr}${await containers.logs(name)}`)
    }
    await vi.waitFor(check, { timeout: 60_000, interval: 500 })
  }

  /** What the image of the database does with its settings, over this machine's PostgreSQL. */
  async function startDatabase(): Promise<void> {
    const service = compose.services.database as ComposeService
    const { binaries } = postgres as { binaries: string }
    const script = `set -e; cd /tmp
      initdb --pgdata=/var/lib/postgresql --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 $POSTGRES_INITDB_ARGS
      echo 'host all all all scram-sha-256' >> /var/lib/postgresql/pg_hba.conf
      echo "create database $POSTGRES_DB" | PGPASSWORD= postgres --single -D /var/lib/postgresql postgres
      exec postgres -D /var/lib/postgresql -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql`
    await containers.start({
      name: 'database',
      command: ['sh', '-c', script],
      flags: [...flagsOf('database', service), '--user', '999:999'],
      environment: { PATH: `${binaries}:/usr/bin:/bin`, ...service.environment },
      mounts: {
        ...secretsOf(service),
        '/var/lib/postgresql': volume('database', 999),
        '/var/run/postgresql': volume('socket', 999),
      },
    })
    const [, ...check] = service.healthcheck?.test ?? []
    await healthy('database', check)
  }

  /** The S3-compatible server of the tests under the name and the port of the file's. */
  async function startStorage(): Promise<void> {
    const program = '/opt/repository/bench/production/storage-program.js'
    await containers.start({
      name: 'storage',
      command: ['node', program, '/data', '8333', '0.0.0.0'],
      flags: flagsOf('storage', compose.services.storage as ComposeService),
      environment: PATH,
      mounts: { ...NODE, '/opt/repository': `${REPOSITORY}:ro`, '/data': volume('storage', 0) },
    })
    await healthy('storage', ['node', '-e', `fetch('http://127.0.0.1:8333').catch(() => process.exit(1))`])
  }

  /** A container of the image with the settings of a service. */
  function containerOf(name: string, service: string): ContainerOptions {
    const settings = compose.services[service] as ComposeService
    return {
      name,
      command: [...image.entrypoint, ...settings.command],
      flags: [...image.flags, ...flagsOf(name, settings, service)],
      environment: environmentOf(settings.environment),
      mounts: { ...image.mounts, ...secretsOf(settings), '/data': volume(name, 1000) },
    }
  }

  async function startReplicas(service: string): Promise<string[]> {
    const names = Array.from(
      { length: compose.services[service]?.deploy?.replicas ?? 1 },
      (_, i) => `${service}-${i + 1}`,
    )
    for (const name of names) await containers.start(containerOf(name, service))
    return names
  }

  async function startProxy(): Promise<void> {
    // The names are in the container's /etc/hosts: nginx resolves them once, when it starts.
    const settings = readFileSync(join(DEPLOY, 'compose/proxy.conf'), 'utf8').replace(' resolve ', ' ')
    writeFileSync(join(folder, 'proxy.conf'), settings)
    writeFileSync(
      join(folder, 'nginx.conf'),
      'user nobody nobody;\npid /tmp/nginx.pid;\nerror_log /dev/stderr;\nevents {}\nhttp { access_log off; include /etc/nginx/conf.d/*.conf; }\n',
    )
    await containers.start({
      name: 'proxy',
      command: ['nginx', '-g', 'daemon off;'],
      flags: [...flagsOf('proxy', compose.services.proxy as ComposeService), '--tmpfs', '/var/lib/nginx'],
      mounts: {
        '/etc/nginx/nginx.conf': `${join(folder, 'nginx.conf')}:ro`,
        '/etc/nginx/conf.d/default.conf': `${join(folder, 'proxy.conf')}:ro`,
      },
    })
    await expect
      .poll(async () => await fetch(`${publicUrl}/livez`).then(({ status }) => status, String), { interval: 500 })
      .toBe(200)
  }

  /** Statuses of guesses with invented addresses, sent by this machine or by a neighbour in a container of `network`. */
  async function guess(url: string, count: number, network?: string): Promise<number[]> {
    if (network === undefined) {
      const { stdout } = await promisify(execFile)(process.execPath, [GUESSES, url, String(count)])
      return JSON.parse(stdout)
    }
    const { stdout, stderr } = await containers.run({
      name: `guesses-${network}-${new URL(url).hostname}`,
      command: ['node', '/opt/guesses.mjs', url, String(count)],
      flags: networkFlags({ [network]: undefined }, ['neighbour']),
      environment: PATH,
      mounts: { ...NODE, '/opt/guesses.mjs': `${GUESSES}:ro` },
    })
    expect(stderr.replaceAll(/^failed to connect to syslog.*$/gm, '').trim()).toBe('')
    return JSON.parse(stdout)
  }

  /** All the others are refused unread. */
  function expectFewGuesses(statuses: readonly number[], processes: number): void {
    const guesses = statuses.filter((status) => status === 401).length
    expect(guesses).toBeGreaterThanOrEqual(10)
    expect(guesses).toBeLessThanOrEqual(MOST_GUESSES * processes)
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
    expect(statuses.at(-1)).toBe(429)
  }

  /** Whoever knows an e-mail address finds the request, and no token in its status after the approval. */
  async function tryTakeover(): Promise<void> {
    const signup = { company_name: 'Company', contact_email: 'victim@example.test' }
    const { request_id: id } = (await request(publicUrl, 'POST', '/v1/signup', { body: signup })).body
    const way = `/operator/v1/signups/${id}/approve`
    const approved = await request(publicUrl, 'POST', way, { bearer: OPERATOR_TOKEN, body: {} })
    expect(approved.body).toHaveProperty('credential_claim_token')
    const found = await request(publicUrl, 'POST', '/v1/signup', { body: { ...signup, company_name: 'Attacker' } })
    expect(found.body).toEqual({ request_id: id, status: 'approved' })
    const status = await request(publicUrl, 'GET', `/v1/signup/${id}`)
    expect(status.body).toMatchObject({ status: 'approved' })
    expect(status.body).not.toHaveProperty('credential_claim_token')
  }

  /** Trains and generates; the rows come from the storage by a signed address. */
  async function buyRows(): Promise<void> {
    const bearer = (await mint(publicUrl, await makeClient(publicUrl, 'team@example.test'))) as string
    const form = new FormData()
    form.append('wait_seconds', '60')
    const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 === 0 ? 'tea' : 'coffee'},${i % 5}`)
    form.append('seed_file', new Blob([['drink,cups', ...rows].join('\n')]))
    const dataset = await request(publicUrl, 'POST', '/v1/datasets', { bearer, key: 'seed', body: form })
    expect(dataset).toMatchObject({ status: 200, body: { status: 'ready' } })
    const order = { row_count: 100, output_format: 'csv', wait_seconds: 60 }
    const path = `/v1/datasets/${dataset.body.dataset_id}/generations`
    const generation = await request(publicUrl, 'POST', path, { bearer, key: 'rows', body: order })
    expect(generation).toMatchObject({ status: 200, body: { status: 'ready', rows_generated: 100 } })
    const artifact = await fetch(generation.body.artifact_url)
    expect((await artifact.text()).trimEnd().split('\n')).toHaveLength(101)
  }

  /** The process has no rights, cannot get any, and writes nowhere but to its folders. */
  async function expectConfined(name: string): Promise<void> {
    const { stdout } = await containers.exec(name, ['cat', '/proc/1/status'])
    expect(stdout).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
    expect(stdout).toMatch(/^CapEff:\t0+$/m)
    expect(stdout).toMatch(/^CapBnd:\t0+$/m)
    expect(stdout).toMatch(/^NoNewPrivs:\t1$/m)
    expect(stdout).toMatch(/^Seccomp:\t2$/m)
    const touched = ['/written', '/opt/whatif/written', '/run/written', '/data/written', '/tmp/written'].map(
      async (path) => [path, (await containers.exec(name, ['touch', path])).code === 0],
    )
    expect((await Promise.all(touched)).filter(([, isWritten]) => isWritten).map(([path]) => path)).toEqual([
      '/data/written',
      '/tmp/written',
    ])
  }

  it('the services of the compose file start after their migration, work together, withstand their neighbours, and stop', async () => {
    const early = await containers.run(containerOf('early', 'worker'))
    expect(early).toMatchObject({ code: 5, stderr: expect.stringContaining('Run whatif migrate-database') })
    expect(await containers.run(containerOf('migrate', 'migrate'))).toMatchObject({ code: 0 })
    const started = [...(await startReplicas('api')), ...(await startReplicas('worker'))]
    expect(started).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2'])
    for (const name of started) await healthy(name, image.healthcheck)
    await startProxy()
    for (const name of started) await expectConfined(name)

    await tryTakeover()
    await buyRows()
    expectFewGuesses(await guess(publicUrl, 300), 2)
    // The proxy's neighbour invents addresses, through the proxy and at the services, and names the proxy as its sender.
    expectFewGuesses(await guess('http://proxy:8080', 100, 'front'), 2)
    expectFewGuesses(await guess('http://api:8080', 100, 'front'), 2)
    expectFewGuesses(await guess('http://api:8080', 100, 'default'), 2)
    const stopped = await Promise.all(started.map(async (name) => await containers.stop(name, 60)))
    expect(stopped).toEqual([0, 0, 0, 0])
  })
})

const addressOfProxy = ({ services }: Compose): string =>
  (services.proxy?.networks as Record<string, { ipv4_address: string }>).front?.ipv4_address ?? ''

/** The Containerfile says what its image holds and how it starts. */
function readImage(): Image {
  const text = readFileSync(join(DEPLOY, 'Containerfile'), 'utf8')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const found = (pattern: RegExp): string => pattern.exec(stage)?.[1] as string
  const copied = [...stage.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths]) => String(paths).split(' '))
  const files = copied.map((path) => path.replace('/build/', ''))
  expect(files).toContain('node_modules')
  return {
    entrypoint: JSON.parse(found(/^ENTRYPOINT (.+)$/m)),
    healthcheck: JSON.parse(found(/^ {2}CMD (.+)$/m)),
    flags: ['--user', '1000:1000', '--workdir', found(/^WORKDIR (.+)$/m)],
    mounts: {
      ...NODE,
      ...Object.fromEntries(files.map((name) => [`/opt/whatif/${name}`, `${join(REPOSITORY, name)}:ro`])),
    },
    environment: { ...PATH, ...Object.fromEntries([found(/^ENV (.+)$/m).split('=')]) },
  }
}
