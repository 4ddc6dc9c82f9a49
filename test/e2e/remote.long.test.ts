import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Finished, makeProject, type Project } from '../cli/project-folder.ts'
import { COFFEE_ARTIFACTS, coffeeStudy, coffeeTracker } from './coffee-study.ts'
import { OPERATOR_TOKEN, type RemoteService, startRemoteService } from './remote-service.ts'

describe('a run against "whatif serve"', () => {
  let project: Project
  let remote: RemoteService
  /** All that any process here wrote to a terminal. */
  const outputs: Finished[] = []
  const whatif = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const finished = await project.whatif(args, { env: { ...remote.credentials, ...env } })
    outputs.push(finished)
    return finished
  }
  const posts = () =>
    remote.proxy.seen
      .filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/datasets'))
      .map((r) => r.path)

  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', coffeeTracker())
    await project.write('coffee.study.yaml', coffeeStudy('coffee'))
    await project.write('odd.study.yaml', coffeeStudy('odd').replace('purchase.intent', 'purchase_intent'))
    remote = await startRemoteService(project)
  })
  afterAll(async () => {
    await remote?.stop()
    await project.remove()
  })

  it('does not begin if it would be billed, nobody can confirm it and there is no budget', async () => {
    const { code, stdout, stderr } = await whatif(['run', 'coffee.study.yaml'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(
      'error: this run would be billed and nobody can be asked here: give the study a budget (budget.rows_per_run), or pass --yes\n',
    )
    expect(posts()).toEqual([])
  })

  it('is not begun over the budget of the command line', async () => {
    const { code, stderr } = await whatif(['run', 'coffee.study.yaml', '--budget-rows', '2999'])
    expect({ code, stderr }).toMatchObject({ code: 6 })
    expect(posts()).toEqual([])
  })

  it('ends with exit code 5 when the identity provider refuses the secret', async () => {
    const { code, stdout, stderr } = await whatif(['run', 'coffee.study.yaml', '--yes'], {
      WHATIF_CLIENT_SECRET: `${remote.credentials.WHATIF_CLIENT_SECRET}x`,
    })
    expect({ code, stdout, stderr }).toMatchObject({ code: 5, stdout: '' })
    expect(posts()).toEqual([])
  })

  it('begins with --yes, sends one upload and one generation per scenario, and names the service', async () => {
    const { code, stdout, stderr } = await whatif(['run', 'coffee.study.yaml', '--yes', '--verbose'])
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' })
    const [upload, ...generations] = posts()
    expect(upload).toBe('/v1/datasets')
    expect(generations).toHaveLength(3)
    expect(new Set(generations)).toEqual(new Set([expect.stringMatching(/^\/v1\/datasets\/[^/]+\/generations$/)]))
    const keys = remote.proxy.seen.map((request) => request.idempotencyKey).filter((key) => key !== null)
    expect(new Set(keys).size).toBe(4)
    expect(await project.list('out/coffee')).toEqual(
      [...COFFEE_ARTIFACTS, 'manifest.json', 'report.html', 'run-record.json', 'runs'].sort(),
    )
    const manifest = JSON.parse(await project.read('out/coffee/manifest.json'))
    expect(manifest.run).toMatchObject({ service: 'remote', rows_billable: 3000 })
    expect(manifest.totals).toMatchObject({ ready: 3, rows_generated: 3000 })
    expect(await project.list('.whatif'), 'no embedded service is made').toEqual(['.gitignore', 'studies'])
  })

  it('begins within a budget, and writes one JSON document with --json', async () => {
    const { code, stdout, stderr } = await whatif([
      'run',
      'coffee.study.yaml',
      '--json',
      '--force',
      'keen',
      '--budget-rows',
      '1000',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ format_version: 1, command: 'run', ok: true, exit_code: 0 })
  })

  it('is refused with exit code 4 if the study does not fit the cleaned data, and requests no generation', async () => {
    const before = posts().filter((path) => path.endsWith('/generations')).length
    const { code, stderr } = await whatif(['run', 'odd.study.yaml', '--yes', '-v'])
    expect({ code, stderr }).toMatchObject({ code: 4 })
    expect(stderr).toContain('did you mean "purchase.intent"?')
    expect(posts().filter((path) => path.endsWith('/generations'))).toHaveLength(before)
  })

  it('asks the service for nothing when nothing has changed, even if the service does not run', async () => {
    const asked = remote.proxy.seen.length
    const served = await remote.stop()
    outputs.push(served)
    expect({ code: served.code, signal: served.signal, stdout: served.stdout }).toEqual({
      code: 0,
      signal: null,
      stdout: `${JSON.stringify({ base_url: remote.baseUrl, auth_url: remote.baseUrl })}\n`,
    })
    const { code, stderr } = await whatif(['run', 'coffee.study.yaml', '-v'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(remote.proxy.seen).toHaveLength(asked)
    expect(JSON.parse(await project.read('out/coffee/manifest.json')).run).toMatchObject({
      actions: { 'as-is': 'reused', keen: 'reused', north: 'reused' },
      rows_billable: 0,
    })
  })

  // Last: it looks through everything that the runs above, the server among them, have written.
  it('leaves no secret or token in any file or output, neither of the runner nor of the service', async () => {
    const { WHATIF_CLIENT_ID: id, WHATIF_CLIENT_SECRET: secret } = remote.credentials
    const bearers = new Set(
      remote.proxy.seen.flatMap(({ authorization }) =>
        authorization?.startsWith('Bearer ') && !authorization.includes(OPERATOR_TOKEN) ? [authorization.slice(7)] : [],
      ),
    )
    expect(bearers.size).toBeGreaterThan(0)
    expect(remote.proxy.tokenReplies.filter((text) => text.includes('access_token')).length).toBeGreaterThan(0)
    const canaries = [
      OPERATOR_TOKEN,
      remote.claimToken,
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
      Buffer.from(`${id}:${secret}`).toString('base64').replace(/=+$/, '').slice(0, -1),
      ...bearers,
      // A signature alone is as good as the token where the rest can be guessed.
      ...[...bearers].map((token) => token.split('.').at(-1) as string),
    ]
    expect(canaries.every((canary) => canary.length >= 16)).toBe(true)
    const found = (where: string, text: string | Buffer) =>
      canaries
        .filter((canary) => text.includes(canary))
        .map((canary) => `${where} holds canary ${canaries.indexOf(canary)}`)

    const files = await project.files()
    expect(files.filter((file) => file.startsWith('server/')).length).toBeGreaterThan(10)
    const inFiles = await Promise.all(files.map(async (file) => found(file, await project.bytes(file))))
    const inOutputs = outputs.flatMap(({ stdout, stderr }, i) => found(`output ${i}`, stdout + stderr))
    expect([...inFiles.flat(), ...inOutputs]).toEqual([])
  })
})
