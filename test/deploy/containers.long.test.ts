import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findPostgres } from '../service/postgres-cluster.ts'
import { makeClient, mint, request } from '../service/served-client.ts'
import { OPERATOR_TOKEN } from '../service/served-process.ts'
import {
  addressOfProxy,
  type ComposeService,
  DEPLOY,
  type Manifest,
  NODE,
  PATH,
  type Pod,
  REPOSITORY,
  readCompose,
  readImage,
  readManifests,
} from './kit-files.ts'
import { Networks } from './networks.ts'
import { type ContainerOptions, Podman } from './podman.ts'

const GUESSES = join(import.meta.dirname, 'guesses.js')

/** A container has ten guesses of the operator token at once and then one in 10 s; this many leave room for the latter. */
const MOST_GUESSES = 16

const postgres = findPostgres()
const hasNginx = spawnSync('nginx', ['-v']).status === 0
const found = 'missing' in postgres ? postgres : hasNginx ? Podman.find() : { missing: 'needs nginx' }
const noNetworks = found instanceof Podman ? Networks.missing() : null
if (noNetworks !== null) (found as Podman).remove()
const podman = noNetworks === null ? found : { missing: noNetworks }
const missing = podman instanceof Podman ? null : podman.missing

describe.skipIf(missing !== null)(`the kits in containers${missing === null ? '' : ` (${missing})`}`, () => {
  const containers = podman as Podman
  const compose = readCompose()
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
  function volume(name: string, [user, group]: readonly [number, number], mode = 0o700): string {
    const path = join(folder, 'volumes', name)
    mkdirSync(path, { recursive: true })
    chownSync(path, user, group)
    chmodSync(path, mode)
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

  /** Settings of a kit, with the places of this machine and the bucket of the test server instead of theirs. */
  function environmentOf(settings: Readonly<Record<string, string>> = {}, url = publicUrl): Record<string, string> {
    const storage = `http://${networks.addressOf('default', 'storage')}:8333`
    const here: Record<string, string> = {
      WHATIF_SERVE_PUBLIC_URL: url,
      // Clients know no name of these networks.
      WHATIF_S3_ENDPOINT: 'WHATIF_S3_PUBLIC_ENDPOINT' in settings ? 'http://storage:8333' : storage,
      WHATIF_S3_PUBLIC_ENDPOINT: storage,
      WHATIF_S3_REGION: 'eu-test-1',
      WHATIF_S3_BUCKET: 'whatif-test',
    }
    const set = Object.entries(settings).map(([name, value]) => [name, here[name] ?? value])
    return { ...image.environment, ...Object.fromEntries(set) }
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
        '/var/lib/postgresql': volume('database', [999, 999]),
        '/var/run/postgresql': volume('socket', [999, 999]),
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
      mounts: { ...NODE, '/opt/repository': `${REPOSITORY}:ro`, '/data': volume('storage', [0, 0]) },
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
      mounts: { ...image.mounts, ...secretsOf(settings), '/data': volume(name, [1000, 1000]) },
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
  async function tryTakeover(url: string): Promise<void> {
    const signup = { company_name: 'Company', contact_email: 'victim@example.test' }
    const { request_id: id } = (await request(url, 'POST', '/v1/signup', { body: signup })).body
    const way = `/operator/v1/signups/${id}/approve`
    const approved = await request(url, 'POST', way, { bearer: OPERATOR_TOKEN, body: {} })
    expect(approved.body).toHaveProperty('credential_claim_token')
    const found = await request(url, 'POST', '/v1/signup', { body: { ...signup, company_name: 'Attacker' } })
    expect(found.body).toEqual({ request_id: id, status: 'approved' })
    const status = await request(url, 'GET', `/v1/signup/${id}`)
    expect(status.body).toMatchObject({ status: 'approved' })
    expect(status.body).not.toHaveProperty('credential_claim_token')
  }

  /** Trains and generates; the rows come from the storage by a signed address. */
  async function buyRows(url: string, team: string): Promise<void> {
    const bearer = (await mint(url, await makeClient(url, `${team}@example.test`))) as string
    const form = new FormData()
    form.append('wait_seconds', '60')
    const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 === 0 ? 'tea' : 'coffee'},${i % 5}`)
    form.append('seed_file', new Blob([['drink,cups', ...rows].join('\n')]))
    const dataset = await request(url, 'POST', '/v1/datasets', { bearer, key: 'seed', body: form })
    expect(dataset).toMatchObject({ status: 200, body: { status: 'ready' } })
    const order = { row_count: 100, output_format: 'csv', wait_seconds: 60 }
    const path = `/v1/datasets/${dataset.body.dataset_id}/generations`
    const generation = await request(url, 'POST', path, { bearer, key: 'rows', body: order })
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

    await tryTakeover(publicUrl)
    await buyRows(publicUrl, 'compose')
    expectFewGuesses(await guess(publicUrl, 300), 2)
    // The proxy's neighbour invents addresses, through the proxy and at the services, and names the proxy as its sender.
    expectFewGuesses(await guess('http://proxy:8080', 100, 'front'), 2)
    expectFewGuesses(await guess('http://api:8080', 100, 'front'), 2)
    expectFewGuesses(await guess('http://api:8080', 100, 'default'), 2)
    const stopped = await Promise.all(started.map(async (name) => await containers.stop(name, 60)))
    expect(stopped).toEqual([0, 0, 0, 0])
  })

  it('the pods of the Kubernetes kit start with its settings, work together, and trust no neighbour', async () => {
    const manifests = readManifests()
    const podOf = (name: string): Pod => manifests.find((one) => one.metadata.name === name)?.spec?.template.spec as Pod
    const read = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8')
    const secrets: Readonly<Record<string, string>> = {
      DATABASE_URL: read('database_url'),
      WHATIF_MASTER_KEY: read('master_key'),
      WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN,
      WHATIF_S3_ACCESS_KEY_ID: read('storage_key_id'),
      WHATIF_S3_SECRET_ACCESS_KEY: read('storage_key'),
    }
    const names = ['migrate-database', 'api', 'worker']
    const attached = Object.fromEntries(
      names.map((name) => [name, networkFlags({ default: undefined }, [`pod-${name}`])]),
    )
    const url = `http://${networks.addressOf('default', 'pod-api')}:8080`
    /** A container of the pod with the rights, the limits and the volumes that its manifest gives. */
    async function runPod(name: string): Promise<void> {
      const { securityContext: user, containers: list, volumes = [] } = podOf(name)
      const [{ args, env = [], envFrom = [], resources, securityContext, volumeMounts = [] }] = list
      const pod = `pod-${name}`
      const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') as Manifest
      const settings = {
        ...(envFrom.some((from) => 'configMapRef' in from) && data),
        ...(envFrom.some((from) => 'secretRef' in from) && secrets),
      }
      const named = env.map(({ name: key, valueFrom }) => [key, secrets[valueFrom.secretKeyRef.key]])
      const places = volumeMounts.map(({ name: mounted, mountPath }) => {
        expect(volumes.map((one) => one.name)).toContain(mounted)
        return [mountPath, volume(`${pod}-${mounted}`, [0, user.fsGroup ?? 0], 0o2777)]
      })
      const options = {
        name: pod,
        command: [...image.entrypoint, ...args],
        flags: [
          ...(attached[name] as string[]),
          ...['--user', `${user.runAsUser}:${user.runAsGroup}`, '--memory', resources.limits.memory.toLowerCase()],
          ...(user.fsGroup === undefined ? [] : ['--group-add', String(user.fsGroup)]),
          ...(securityContext.readOnlyRootFilesystem ? ['--read-only'] : []),
          ...(securityContext.allowPrivilegeEscalation ? [] : ['--security-opt', 'no-new-privileges']),
          ...securityContext.capabilities.drop.flatMap((right) => ['--cap-drop', right]),
        ],
        environment: environmentOf({ ...settings, ...Object.fromEntries(named) }, url),
        mounts: { ...image.mounts, ...Object.fromEntries(places) },
      }
      if (list[0].ports === undefined) expect(await containers.run(options)).toMatchObject({ code: 0 })
      else await containers.start(options)
    }
    for (const name of names) await runPod(name)
    for (const name of ['api', 'worker']) {
      const [{ startupProbe, readinessProbe, livenessProbe, ports = [] }] = podOf(name).containers
      for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
        const address = `http://${networks.addressOf('default', `pod-${name}`)}:${ports[0]?.containerPort}`
        const check = async () => expect((await fetch(`${address}${probe?.httpGet.path}`)).status).toBe(200)
        await vi.waitFor(check, { timeout: 60_000, interval: 500 })
      }
      await expectConfined(`pod-${name}`)
    }
    await tryTakeover(url)
    await buyRows(url, 'kubernetes')
    expectFewGuesses(await guess('http://pod-api:8080', 100, 'default'), 1)
    expect(await Promise.all(['pod-api', 'pod-worker'].map((name) => containers.stop(name, 60)))).toEqual([0, 0])
  })
})
