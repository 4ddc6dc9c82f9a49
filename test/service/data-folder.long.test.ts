import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startService } from '../../src/service/start-service.ts'
import { postJson } from './postgres/shared-database.ts'
import { NotServedError, type ServedProcess, serve } from './served-process.ts'

let folder: string
let dataDir: string
let service: ServedProcess | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whatif-open-'))
  // Others may look into what holds the data folder.
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'D')
})
afterEach(async () => {
  await service?.stop()
  service = null
  rmSync(folder, { recursive: true, force: true })
})

/** All that others have a right on, the data folder included. */
function openToOthers(): string[] {
  // Itself a link in one case.
  const names = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  return names.filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)
}

/** A service that has written what holds an e-mail address. */
async function served(): Promise<ServedProcess> {
  service = await serve(dataDir)
  const signup = { company_name: 'A', contact_email: 'ada@example.org' }
  expect((await postJson(`${service.baseUrl}/v1/signup`, null, signup)).status).toBeLessThan(300)
  return service
}

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it.each([
    ['that is missing', () => undefined],
    [
      'that is there, empty and open to others, behind a link',
      () => {
        mkdirSync(join(folder, 'elsewhere'), { mode: 0o755 })
        symlinkSync('elsewhere', dataDir)
      },
    ],
    [
      'that only its owner can enter, with files that others could read',
      () => {
        mkdirSync(join(dataDir, 'inner'), { recursive: true, mode: 0o700 })
        writeFileSync(join(dataDir, 'inner', 'file'), '')
        chmodSync(join(dataDir, 'inner', 'file'), 0o666)
        chmodSync(join(dataDir, 'inner'), 0o777)
      },
    ],
  ])('%s has no file open to others, while the service runs and afterwards', async (_name, prepare) => {
    prepare()
    const running = await served()
    expect(openToOthers()).toEqual([])
    expect(await running.stop()).toBe(0)
    expect(openToOthers()).toEqual([])
  })

  it('with content that others can enter is refused with the command that closes it, and accepted after that', async () => {
    await (await served()).stop()
    chmodSync(dataDir, 0o755)
    const refusal = await serve(dataDir).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(NotServedError)
    expect((refusal as NotServedError).code).toBe(5)
    expect((refusal as Error).message).toContain(`Run "chmod -R go-rwx ${dataDir}"`)
    expect((refusal as Error).message).not.toMatch(/\n\s+at /)
    chmodSync(dataDir, 0o700)
    await served()
  })

  it('of an embedded service is closed instead: a copied project runs', async () => {
    mkdirSync(join(dataDir, 'blobs'), { recursive: true, mode: 0o755 })
    writeFileSync(join(dataDir, 'blobs', 'file'), '', { mode: 0o644 })
    await (await startService({ dataDir, ifDataOpen: 'mend', operatorToken: null })).close()
    expect(openToOthers().filter((name) => !name.startsWith('database/'))).toEqual([])
  })
})
