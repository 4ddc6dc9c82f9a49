import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/service/store/database.ts'
import { MIGRATIONS } from '../../../src/service/store/migrations.ts'
import { openPostgresDatabase } from '../../../src/service/store/postgres-database.ts'
import { newTestDatabase } from '../test-database.ts'

const BINARY = join(import.meta.dirname, '../../../bin/whatif.js')

let databaseUrl: string
let remove: () => Promise<void>
let db: Database

beforeEach(async () => {
  const made = await newTestDatabase()
  if (made.databaseUrl === null) throw new Error('These tests need PostgreSQL: run them in the project "postgres".')
  databaseUrl = made.databaseUrl
  remove = made.remove
  db = await openPostgresDatabase(databaseUrl)
})
afterEach(async () => {
  await db.close()
  await remove()
})

function whatif(args: string[], env: Record<string, string> = { DATABASE_URL: databaseUrl }) {
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], {
    encoding: 'utf8',
    env: { PATH, ...env },
  })
  return { status, stdout, stderr }
}

describe('whatif migrate-database', () => {
  it('applies missing migrations once', () => {
    const lines = MIGRATIONS.map(({ name }) => `${name}: applied\n`).join('')
    expect(whatif(['migrate-database'])).toEqual({ status: 0, stdout: lines, stderr: '' })
    expect(whatif(['migrate-database'])).toEqual({ status: 0, stdout: 'The database is up to date.\n', stderr: '' })
  })

  it('checks without changing anything', async () => {
    const found = whatif(['migrate-database', '--check', '--json'])
    expect(found.status).toBe(20)
    expect(JSON.parse(found.stdout).data).toEqual({ migrations: MIGRATIONS.map(({ name }) => name), applied: false })
    expect(await db.query(`select to_regclass('tenants')::text as name`)).toEqual([{ name: null }])
    whatif(['migrate-database'])
    expect(whatif(['migrate-database', '--check']).status).toBe(0)
  })

  it('refuses a database of a newer version, and does not change it', async () => {
    whatif(['migrate-database'])
    await db.query(`insert into schema_migrations (name, sha256) values ('999-later', 'x')`)
    const { status, stderr } = whatif(['migrate-database'])
    expect(status).toBe(5)
    expect(stderr).toBe(
      'error: The database was made by a newer version of whatif: it has migrations that this one does not know (999-later). Start that version, or name another database or data folder. An older one cannot use it any more.\n',
    )
  })

  it('requires a database', () => {
    const { status, stderr } = whatif(['migrate-database'], {})
    expect({ status, stderr }).toEqual({
      status: 5,
      stderr:
        'error: there is no database to migrate: DATABASE_URL is not set\nwhatif serve migrates the database in a data folder itself.\n',
    })
    expect(whatif(['migrate-database'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }).status).toBe(11)
  })

  it('must precede processes that do not migrate', async () => {
    const { status, stderr } = whatif(['serve', '--port', '0', '--migrate', 'off', '--data', '/nonexistent/whatif'])
    expect(status).toBe(5)
    expect(stderr).toContain(`The database lacks ${MIGRATIONS.length} migrations (001-access, `)
    expect(stderr).toContain('Run whatif migrate-database, or start with --migrate on.')
    expect(await db.query(`select to_regclass('tenants')::text as name`)).toEqual([{ name: null }])
  })
})
