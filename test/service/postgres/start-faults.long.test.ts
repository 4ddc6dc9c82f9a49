import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/service/store/database.ts'
import { migrate } from '../../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openPostgresDatabase } from '../../../src/service/store/postgres-database.ts'
import { findPostgres, PostgresCluster } from '../postgres-cluster.ts'
import { NotServedError, serve } from '../served-process.ts'

/** The user `secured` connects with TLS only and `plain` without TLS only, both by password. */
const HBA = `
local   all all           trust
hostssl all secured all   scram-sha-256
hostnossl all plain all   scram-sha-256
host    all postgres all  trust
`

let cluster: PostgresCluster
let folder: string
let port: number
let certificate: string

beforeAll(async () => {
  const found = findPostgres()
  if ('missing' in found) throw new Error(found.missing)
  folder = mkdtempSync(join(tmpdir(), 'whatif-tls-'))
  port = await freePort()
  cluster = await PostgresCluster.start(found.binaries, ['listen_addresses=127.0.0.1', `port=${port}`])
  certificate = join(folder, 'server.crt')
  const key = join(folder, 'server.key')
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=db.test', '-addext', 'subjectAltName=DNS:db.test,IP:127.0.0.1']
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  cluster.configure('server.crt', readFileSync(certificate, 'utf8'))
  cluster.configure('server.key', readFileSync(key, 'utf8'))
  cluster.configure('pg_hba.conf', HBA)
  await asAdministrator(
    `create role plain login password 'right'; create role secured login password 'right';
     create role guest login; create database guests encoding 'UTF8' template template0`,
  )
  await setTls('on')
})
afterAll(async () => {
  await cluster?.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return free
}

/** Connects by the socket of the server, whose name contains its port. */
const socket = (user: string, database: string) =>
  `${cluster.url(database).replace('postgres@', `${user}@`)}&port=${port}`

async function asAdministrator(sql: string, database = 'postgres'): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: socket('postgres', database) })
  await client.connect()
  try {
    let last: pg.QueryResult | undefined
    // One by one: none of them may be in a transaction.
    for (const statement of sql.split(';')) last = await client.query(statement)
    return last as pg.QueryResult
  } finally {
    await client.end()
  }
}

async function setTls(state: 'on' | 'off'): Promise<void> {
  await asAdministrator(`alter system set ssl = ${state}; select pg_reload_conf()`)
  // The reload is a signal to the server: connections are secured or not from the moment that it has been read.
  while ((await asAdministrator('show ssl')).rows[0].ssl !== state);
}

const tcp = (user: string, query = '', host = '127.0.0.1') =>
  `postgresql://${user}:right@${host}:${port}/postgres${query}`

/** Whether the connection is encrypted. */
async function isEncrypted(url: string): Promise<boolean> {
  const db: Database = await openPostgresDatabase(url)
  try {
    const [row] = await db.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return row?.ssl === true
  } finally {
    await db.close()
  }
}

/** The output and the exit code of `whatif serve`. */
async function refusal(databaseUrl: string): Promise<{ code: number | null; said: string }> {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const error = await serve(dataDir, { env: { DATABASE_URL: databaseUrl } }).catch((thrown: unknown) => thrown)
  if (!(error instanceof NotServedError)) throw new Error('It was served.')
  return { code: error.code, said: error.message }
}

describe('TLS to the database, with the modes of PostgreSQL', () => {
  it.each([
    ['by default', ''],
    ['with prefer', '?sslmode=prefer'],
    ['with require, whoever signed the certificate', '?sslmode=require'],
  ])('is used where the server offers it, %s', async (_name, query) => {
    expect(await isEncrypted(tcp('secured', query))).toBe(true)
  })

  it.each(['', '?sslmode=prefer', '?sslmode=allow', '?sslmode=disable'])(
    'is not used where the server accepts no connection with it: %j',
    async (query) => expect(await isEncrypted(tcp('plain', query))).toBe(false),
  )

  it('is used with allow where the server accepts no connection without it', async () => {
    expect(await isEncrypted(tcp('secured', '?sslmode=allow'))).toBe(true)
  })

  it.each(['verify-ca', 'verify-full'])('with %s accepts no certificate of an unknown authority', async (mode) => {
    await expect(isEncrypted(tcp('secured', `?sslmode=${mode}`))).rejects.toMatchObject({
      code: 'database_unusable',
      message: expect.stringMatching(/self-signed certificate.*sslrootcert=FILE/),
    })
  })

  it('requires a certificate for this host with verify-full, and for any host with verify-ca', async () => {
    const root = `&sslrootcert=${encodeURIComponent(certificate)}`
    expect(await isEncrypted(tcp('secured', `?sslmode=verify-full${root}`))).toBe(true)
    const elsewhere = (mode: string) => isEncrypted(tcp('secured', `?sslmode=${mode}${root}`, 'localhost'))
    await expect(elsewhere('verify-full')).rejects.toMatchObject({
      code: 'database_unusable',
      message: expect.stringContaining("Host: localhost. is not in the cert's altnames"),
    })
    expect(await elsewhere('verify-ca')).toBe(true)
    expect(await elsewhere('require')).toBe(true)
  })

  it.each([
    ['sslmode=strict', 'write one of disable, allow, prefer, require, verify-ca, verify-full'],
    ['sslmode=verify-ca&sslrootcert=/nowhere/root.crt', 'sslrootcert in DATABASE_URL names cannot be read (ENOENT)'],
  ])('is refused with %s', async (query, said) => {
    await expect(openPostgresDatabase(tcp('secured', `?${query}`))).rejects.toThrow(said)
  })

  it('is optional with prefer and required with require, when the server does not offer it', async () => {
    await setTls('off')
    try {
      expect(await isEncrypted(tcp('postgres', '?sslmode=prefer'))).toBe(false)
      expect(await isEncrypted(tcp('postgres'))).toBe(false)
      const { code, said } = await refusal(tcp('postgres', '?sslmode=require'))
      expect([code, said]).toEqual([5, expect.stringContaining('offers no TLS')])
    } finally {
      await setTls('on')
    }
  })
})

describe('whatif serve ends with the fault and the remedy, without a stack, for', () => {
  it.each([
    [
      'a wrong password',
      async () => tcp('secured').replace('right', 'wrong-canary'),
      /password authentication failed for user "secured". Check the user and the password in DATABASE_URL/,
    ],
    ['an unknown user', async () => socket('nobody', 'postgres'), /role "nobody" does not exist. Check the user/],
    [
      'a missing database',
      async () => socket('postgres', 'missing'),
      /"missing" does not exist. Make it with "create database/,
    ],
    [
      'no right to make tables',
      async () => socket('guest', 'guests'),
      /permission denied for schema public. The user needs its own database/,
    ],
    [
      'another encoding',
      async () => {
        await asAdministrator(`create database ascii encoding 'SQL_ASCII' template template0 locale 'C'`)
        return socket('postgres', 'ascii')
      },
      /has the encoding SQL_ASCII, and the service needs UTF8. Make another one/,
    ],
    [
      'the tables of another program',
      async () => {
        await asAdministrator(`create database shop encoding 'UTF8' template template0`)
        await asAdministrator('create table orders (id int); create table schema_migrations (version text)', 'shop')
        return socket('postgres', 'shop')
      },
      /tables of another program \(orders, schema_migrations\). Make an empty one/,
    ],
    [
      'an older PostgreSQL',
      async () => {
        await asAdministrator(`create database old encoding 'UTF8' template template0`)
        // The server says what its function says: one of the same name goes before.
        const answer = `case $1 when 'server_version_num' then '140010' when 'server_version' then '14.10' else 'UTF8' end`
        await asAdministrator(
          `create function public.current_setting(text) returns text language sql as $$ select ${answer} $$`,
          'old',
        )
        await asAdministrator('alter database old set search_path = public, pg_catalog')
        return socket('postgres', 'old')
      },
      /PostgreSQL 14.10; the service needs 15 or newer. Upgrade it/,
    ],
    [
      'a newer schema',
      async () => {
        await asAdministrator(`create database newer encoding 'UTF8' template template0`)
        const db = await openPostgresDatabase(socket('postgres', 'newer'))
        await migrate(db, [...MIGRATIONS, { name: '999-of-tomorrow', sql: 'create table tomorrow (id int)' }])
        await db.close()
        return socket('postgres', 'newer')
      },
      /made by a newer version of whatif.*\(999-of-tomorrow\). Start that version/,
    ],
  ])('%s', async (_name, address, message) => {
    const { code, said } = await refusal(await address())
    expect([code, said]).toEqual([5, expect.stringMatching(message)])
    expect(said).not.toMatch(/\n\s+at |canary/)
  })

  it('tables that belong to an extension do not count', async () => {
    await asAdministrator(`create database extended encoding 'UTF8' template template0`)
    await asAdministrator('create extension pg_stat_statements', 'extended')
    const db = await openPostgresDatabase(socket('postgres', 'extended'))
    expect(await migrate(db, MIGRATIONS)).toEqual(MIGRATIONS.map(({ name }) => name))
    await db.close()
  })
})
