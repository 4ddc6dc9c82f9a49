import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProject, type Project, type Running } from './project-folder.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-claims-test'

let project: Project
let serving: Running
let env: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  serving = project.start(['serve', '--data', 'server', '--port', '0', '--json', '--claims', 'operator'], {
    env: { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  const baseUrl = JSON.parse(await serving.firstLine()).base_url
  env = { HOME: project.path('home'), WHATIF_BASE_URL: baseUrl }
})
afterAll(async () => {
  serving?.kill('SIGTERM')
  await serving?.finished
  await project?.remove()
})

const whatif = async (args: string[], more: NodeJS.ProcessEnv = {}) =>
  await project.whatif(args, { env: { ...env, ...more } })
const operator = async (...args: string[]) =>
  await whatif(['operator', ...args], { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN })

it('whatif auth claim accepts the claim token of whatif operator approve, which the status does not show', async () => {
  await whatif(['auth', 'signup', '--company', 'Roast & Co', '--email', 'a@example.org'])
  const { signups } = JSON.parse((await operator('signups', '--json')).stdout).data
  const requestId: string = signups[0].request_id
  const approved = await operator('approve', requestId)
  const token = /^claim token, until \d{4}-\d\d-\d\d: (clm_\S+)$/m.exec(approved.stdout)?.[1]
  expect(approved.stdout.split('\n')[0]).toMatch(new RegExp(`^${requestId}: approved, client cli_\\w+$`))
  expect((await operator('approve', requestId)).stdout).toBe(approved.stdout)

  expect((await whatif(['auth', 'status'])).stdout).toMatch(/^approved\n.*WHATIF_CLAIM_TOKEN/)
  const without = await whatif(['auth', 'claim'])
  expect([without.code, without.stderr]).toEqual([5, expect.stringContaining('or the operator hands it out')])
  const wrong = await whatif(['auth', 'claim'], { WHATIF_CLAIM_TOKEN: 'clm_wrong-canary' })
  expect([wrong.code, wrong.stdout]).toEqual([5, ''])
  expect(wrong.stderr).not.toContain('canary')
  expect(await whatif(['auth', 'claim'], { WHATIF_CLAIM_TOKEN: token as string })).toMatchObject({
    code: 0,
    stdout: 'credentials claimed and stored\n',
  })
  expect((await whatif(['auth', 'status'])).stdout).toMatch(/^approved\ncredentials of cli_\w+ are stored\n$/)
  expect((await operator('approve', requestId)).stdout).toMatch(/: approved, client cli_\w+\n$/)
})
