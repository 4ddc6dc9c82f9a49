import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunStudyFileOptions, runStudyFile, type StorageAccess } from '../../src/index.ts'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from '../cli/double-project.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { SEED_CSV } from '../runner/run-rig.ts'
import { SECRET_CANARY } from '../runner/service-double.ts'
import { S3Server } from '../service/storage/s3-server.ts'

const SHA = createHash('sha256').update(SEED_CSV).digest('hex')

let server: S3Server
let rig: DoubleProject
let empty: Project
beforeAll(async () => {
  server = await S3Server.start('')
})
afterAll(async () => await server?.close())
beforeEach(async () => {
  rig = await makeDoubleProject({ sharesProcess: true })
  empty = await makeProject({ sharesProcess: true })
  await empty.write('seeds/panel.csv', SEED_CSV)
  await empty.write('demo.study.yaml', DEMO_STUDY)
})
afterEach(async () => {
  for (const key of await server.objects()) await server.remove(key)
  await empty.remove()
  await rig.remove()
})

const storage = () => {
  const { endpoint, region, accessKeyId, secretAccessKey } = server.storage
  return { endpoint, region, accessKeyId, secretAccessKey }
}
/** `storage`: null for none; absent for that of the server. */
type Said = Omit<RunStudyFileOptions, 'storage'> & { readonly storage?: StorageAccess | null }
const runIn = async (project: Project, { storage: said = storage(), ...options }: Said) => {
  const service = { url: rig.double.url, clientId: 'cli_1', clientSecret: SECRET_CANARY }
  const more = said === null ? {} : { storage: said }
  return await runStudyFile(project.path('demo.study.yaml'), { service, ...more, ...options })
}
const address = () => `s3://${server.storage.bucket}/team`

describe('a state in a bucket, by a program', () => {
  it('is gone on with in an empty folder, without an order, as the command does', async () => {
    expect(await runIn(rig.project, { state: address() })).toMatchObject({ exitCode: 0 })
    const ordered = rig.double.made('generations')
    expect(ordered).toBeGreaterThan(0)
    const again = await runIn(empty, { state: address(), download: [] })
    expect(again).toMatchObject({ exitCode: 0, manifest: { run: { actions: { base: 'reused', young: 'reused' } } } })
    const env = { ...rig.env, ...variables(), WHATIF_STATE: address() }
    expect(await empty.whatif(['run', 'demo.study.yaml'], { env })).toMatchObject({ code: 0 })
    expect(rig.double.made('generations')).toBe(ordered)
  })

  it('is that of whatif.state.yaml, where a scope reads what it trusts, with credentials by a function', async () => {
    await rig.project.write('whatif.state.yaml', `bucket: ${address()}\nreads: [main]\n`)
    await empty.write('whatif.state.yaml', `bucket: ${address()}\nreads: [main]\n`)
    let asked = 0
    const { accessKeyId, secretAccessKey, ...place } = storage()
    const credentials = async () => {
      asked++
      return {
        accessKeyId: `${accessKeyId}`,
        secretAccessKey: `${secretAccessKey}`,
        sessionToken: null,
        expiresAtMs: null,
      }
    }
    expect(await runIn(rig.project, { storage: { ...place, credentials } })).toMatchObject({ exitCode: 0 })
    expect(asked).toBeGreaterThan(0)
    const ordered = rig.double.made('generations')
    const ofMain = (await server.objects()).filter((key) => key.startsWith('team/main/'))
    expect(ofMain).not.toEqual([])
    expect(await runIn(empty, { scope: 'pr-1' })).toMatchObject({ exitCode: 0 })
    expect(rig.double.made('generations')).toBe(ordered)
    expect((await server.objects()).filter((key) => key.startsWith('team/main/'))).toEqual(ofMain)
    expect((await server.objects()).some((key) => key.startsWith('team/pr-1/'))).toBe(true)
  })
})

describe('a seed file in a bucket, by a program', () => {
  it('is read where the program allows its bucket, and nowhere else', async () => {
    await server.replace('2026/panel.csv', Buffer.from(SEED_CSV))
    const text = `file: s3://${server.storage.bucket}/2026/panel.csv, sha256: ${SHA}`
    await empty.write('demo.study.yaml', DEMO_STUDY.replace('file: seeds/panel.csv', text))
    await rm(empty.path('seeds/panel.csv'))
    const refused = await runIn(empty, { seedBuckets: ['panels'] })
    expect(refused).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('options.seedBuckets names the buckets'),
    })
    expect(rig.double.made('generations')).toBe(0)
    const allowed = await runIn(empty, { seedBuckets: [`${server.storage.bucket}/2026`] })
    expect(allowed).toMatchObject({ exitCode: 0 })
  })
})

describe('an option about buckets', () => {
  it.each<[Said, string]>([
    [{ storage: null, state: 's3://team' }, 'options.state needs options.storage'],
    [{ storage: null, seedBuckets: ['panels'] }, 'options.seedBuckets needs options.storage'],
    [{ state: 's3:/team' }, 'options.state: expected s3://BUCKET'],
    [{ reads: ['main'] }, 'options.reads is about the state in a bucket: set options.state to s3://BUCKET/PREFIX'],
    [{ seedBuckets: ['../x'] }, 'options.seedBuckets: expected names of buckets'],
    [{ reads: ['a/b'] }, 'options.reads.0: expected labels of scopes'],
    [{ storage: {} }, 'needs options.storage.accessKeyId and options.storage.secretAccessKey, or credentials'],
    [{ storage: { accessKeyId: 'id' } }, 'found only the first'],
    [
      { storage: { endpoint: 'https://user@x', accessKeyId: 'i', secretAccessKey: 'canary' } },
      'options.storage.endpoint:',
    ],
  ])('that cannot be is refused before anything is sent: %o', async (options, said) => {
    const error: unknown = await runIn(rig.project, options).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'SetupError', message: expect.stringContaining(said) })
    expect(String(error)).not.toContain('canary')
    expect(rig.double.made('generations')).toBe(0)
  })

  it.each<[string, Said, RegExp]>([
    ['state', { state: 's3://nobody-has-it' }, /options\.state or whatif\.state\.yaml, or options\.storage\.endpoint/],
    ['seed file', { state: 'none', seedBuckets: ['panels'] }, /in the study, or options\.storage\.endpoint/],
  ])('is what a fault of the %s names, and no variable', async (_what, options, said) => {
    const text = `file: s3://panels/2026/panel.csv, sha256: ${SHA}`
    await empty.write('demo.study.yaml', DEMO_STUDY.replace('file: seeds/panel.csv', text))
    const { exitCode, message } = await runIn(empty, options)
    expect([exitCode, message]).toEqual([2, expect.stringMatching(said)])
    expect(message).not.toContain('WHATIF_')
  })

  it('is not needed: without a storage whatif.state.yaml does not count', async () => {
    await rig.project.write('whatif.state.yaml', `bucket: ${address()}\n`)
    expect(await runIn(rig.project, { storage: null })).toMatchObject({ exitCode: 0 })
    expect(await server.objects()).toEqual([])
  })
})

const variables = () => ({
  WHATIF_S3_ENDPOINT: server.storage.endpoint,
  WHATIF_S3_REGION: server.storage.region,
  WHATIF_S3_ACCESS_KEY_ID: server.storage.accessKeyId,
  WHATIF_S3_SECRET_ACCESS_KEY: server.storage.secretAccessKey,
})
