import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Finished, makeProject, type Project } from '../cli/project-folder.ts'
import { form, surveyCsv } from '../service/data/data-service.ts'
import { OPERATOR_TOKEN, type RemoteService, startRemoteService } from './remote-service.ts'

let project: Project
let service: RemoteService | null = null
let stopped: Promise<Finished> | null = null
beforeAll(async () => {
  project = await makeProject()
})
afterAll(async () => {
  await (stopped ?? service?.stop())
  await project.remove()
})

/** Names, values and secrets of a customer, each different from everything else that a log could hold. */
const COLUMN = 'canarycolumn'
const VALUE = 'canaryvalue'

it('the log of a walk from signup to download names requests and jobs by ids, and holds no text or secret of the customer', async () => {
  service = await startRemoteService(project)
  const { baseUrl, credentials, claimToken } = service
  const post = (path: string, body: object, authorization = '') =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
      body: JSON.stringify(body),
    })
  const minted = await post('/oauth/token', {
    client_id: credentials.WHATIF_CLIENT_ID,
    client_secret: credentials.WHATIF_CLIENT_SECRET,
    audience: baseUrl,
    grant_type: 'client_credentials',
  })
  const { access_token: token } = (await minted.json()) as { access_token: string }
  const authorization = `Bearer ${token}`
  const upload = async (bytes: string, name: string) => {
    const data = form({ wait_seconds: '60', display_name: 'canaryname' })
    data.append('seed_file', new Blob([bytes]), name)
    const headers = { authorization, 'idempotency-key': `canarykey${name.length}` }
    return await fetch(`${baseUrl}/v1/datasets`, { method: 'POST', headers, body: data })
  }

  const csv = surveyCsv(200).replaceAll('region', COLUMN).replaceAll('north', VALUE)
  const uploaded = await upload(csv, 'canaryfile.csv')
  expect(uploaded.status).toBe(200)
  const { dataset_id: datasetId } = (await uploaded.json()) as { dataset_id: string }
  const order = { row_count: 50, wait_seconds: 60, conditions: { categorical: { [COLUMN]: { [VALUE]: 0.5 } } } }
  const made = await post(`/v1/datasets/${datasetId}/generations`, order, authorization)
  const generation = (await made.json()) as { job_id: string; artifact_url: string; status: string }
  expect(generation).toMatchObject({ status: 'ready' })
  const artifact = await fetch(new URL(generation.artifact_url, `${baseUrl}/`), { headers: { authorization } })
  expect(artifact.status).toBe(200)
  await artifact.arrayBuffer()

  // Refusals of a request and of a job.
  const wrong = { row_count: 5, conditions: { categorical: { canaryunknown: { x: 1 } } } }
  expect((await post(`/v1/datasets/${datasetId}/generations`, wrong, authorization)).status).toBe(400)
  expect((await upload(`a\n${`${VALUE}\n`.repeat(60)}`, 'canary-untrainable.csv')).status).toBe(400)
  expect((await upload(`PK\u0003\u0004${VALUE}`, 'canary-unreadable-.xlsx')).status).toBe(400)
  expect((await fetch(`${baseUrl}/v1/datasets?cursor=canarycursor`, { headers: { authorization } })).status).toBe(400)

  stopped = service.stop()
  const { stderr } = await stopped
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const of = (message: string) => lines.filter(({ msg }) => msg === message)
  expect(of('request').find(({ operation }) => operation === 'createGeneration')).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: expect.any(Number),
    hostname: expect.any(String),
    reqId: made.headers.get('x-request-id'),
    operation: 'createGeneration',
    method: 'POST',
    route: '/v1/datasets/:dataset_id/generations',
    status: 200,
    durationMs: expect.any(Number),
    tenantId: expect.stringMatching(/^ten_/),
    clientId: credentials.WHATIF_CLIENT_ID,
    msg: 'request',
  })
  expect(of('request').find(({ operation }) => operation === 'downloadArtifact')).toMatchObject({ status: 200 })
  expect(of('job.begun').map(({ kind }) => kind)).toEqual(expect.arrayContaining(['training', 'generation']))
  expect(of('job.ended').find(({ jobId }) => jobId === generation.job_id)).toMatchObject({
    kind: 'generation',
    attempt: 1,
    outcome: 'completed',
    durationMs: expect.any(Number),
  })
  expect(of('rows.billed')).toMatchObject([{ jobId: generation.job_id, rows: 50 }])

  const signature = new URL(generation.artifact_url, `${baseUrl}/`).searchParams.get('signature') as string
  for (const secret of [token, claimToken, credentials.WHATIF_CLIENT_SECRET, OPERATOR_TOKEN, signature]) {
    expect(stderr).not.toContain(secret)
  }
  expect(stderr.toLowerCase()).not.toContain('canary')
})
