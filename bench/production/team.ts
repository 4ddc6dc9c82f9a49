import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase, findPostgres, PostgresCluster } from '../../test/service/postgres-cluster.ts'
import { lastingPort } from '../../test/service/served-process.ts'
import { Balancer } from './balancer.ts'
import { Member } from './member.ts'
import { StorageProcess } from './storage-process.ts'

export interface TeamOptions {
  /** For each process, in addition to the common settings. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * The service on "several machines" of one: PostgreSQL, an S3-compatible server, two api and two worker processes of the
 * real binary, each with a data folder of its own, and a balancer whose address clients use. Ended by `close`, and when
 * this process is interrupted.
 */
export class Team {
  readonly publicUrl: string
  readonly folder: string
  readonly apis: readonly [Member, Member]
  readonly workers: readonly [Member, Member]
  readonly storage: StorageProcess
  readonly cluster: PostgresCluster
  /** A connection of the bench, which comes back after an outage. */
  readonly db: pg.Pool
  readonly #env: Readonly<Record<string, string>>
  readonly #others: Member[] = []
  #balancer: Balancer | null = null

  static async start(options: TeamOptions = {}): Promise<Team> {
    const found = findPostgres()
    if ('missing' in found) throw new Error(found.missing)
    const folder = await mkdtemp(join(tmpdir(), 'whatif-team-'))
    const [cluster, storage] = await Promise.all([PostgresCluster.start(found.binaries), StorageProcess.start()])
    const { url: databaseUrl } = await createDatabase(cluster.url(), 'team')
    const ports = [await lastingPort(), await lastingPort(), await lastingPort(), await lastingPort()] as const
    const team = new Team({ folder, cluster, storage, databaseUrl, publicPort: await lastingPort(), ports, options })
    onInterrupt(team)
    try {
      // One after the other: the first makes the tables.
      for (const member of team.members) await member.start()
      team.#balancer = await Balancer.start(Number(new URL(team.publicUrl).port), ports.slice(0, 2))
    } catch (error) {
      await team.close()
      throw error
    }
    return team
  }

  private constructor(parts: {
    folder: string
    cluster: PostgresCluster
    storage: StorageProcess
    databaseUrl: string
    publicPort: number
    ports: readonly [number, number, number, number]
    options: TeamOptions
  }) {
    const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey } = parts.storage.storage
    this.folder = parts.folder
    this.cluster = parts.cluster
    this.storage = parts.storage
    this.publicUrl = `http://127.0.0.1:${parts.publicPort}`
    this.#env = {
      DATABASE_URL: parts.databaseUrl,
      WHATIF_MASTER_KEY: 'the-master-key-of-a-team-of-processes',
      WHATIF_SERVE_PUBLIC_URL: this.publicUrl,
      WHATIF_S3_ENDPOINT: endpoint,
      WHATIF_S3_REGION: region,
      WHATIF_S3_BUCKET: bucket,
      WHATIF_S3_PREFIX: prefix,
      WHATIF_S3_ACCESS_KEY_ID: `${accessKeyId}`,
      WHATIF_S3_SECRET_ACCESS_KEY: `${secretAccessKey}`,
      ...parts.options.env,
    }
    const member = (role: 'api' | 'worker', n: 1 | 2) =>
      this.#member(`${role} ${n}`, role, parts.ports[(role === 'api' ? 0 : 2) + n - 1] as number)
    this.apis = [member('api', 1), member('api', 2)]
    this.workers = [member('worker', 1), member('worker', 2)]
    this.db = new pg.Pool({ connectionString: parts.databaseUrl, max: 2, application_name: 'bench' })
    this.db.on('error', () => undefined)
  }

  /** The four that belong to it from the start. */
  get members(): readonly Member[] {
    return [...this.apis, ...this.workers]
  }

  /** One more process of a role, not started yet; ended with the others. */
  async another(name: string, role: 'api' | 'worker' | 'all'): Promise<Member> {
    const member = this.#member(name, role, await lastingPort())
    this.#others.push(member)
    return member
  }

  /** The only row of a statement. */
  async row<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row> {
    return (await this.db.query<Row>(sql, [...values])).rows[0] as Row
  }

  async close(): Promise<void> {
    interrupted.delete(this)
    await Promise.all([...this.members, ...this.#others].map(async (member) => await member.end()))
    await this.#balancer?.close()
    await this.db.end()
    await this.storage.close()
    await this.cluster.remove()
    await rm(this.folder, { recursive: true, force: true })
  }

  #member(name: string, role: string, port: number): Member {
    const folder = join(this.folder, name.replaceAll(' ', '-'))
    return new Member(name, { port, folder, env: { ...this.#env, WHATIF_SERVE_ROLE: role } })
  }
}

const interrupted = new Set<Team>()

/** The processes have groups of their own, which an interrupt of this one does not reach. */
function onInterrupt(team: Team): void {
  if (interrupted.size === 0) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, async () => {
        await Promise.all([...interrupted].map(async (each) => await each.close()))
        process.exit(1)
      })
    }
  }
  interrupted.add(team)
}
