import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeProject, type Project, type Running } from './project-folder.ts'

let project: Project
let serving: Running
let baseUrl = ''

beforeAll(async () => {
  project = await makeProject()
  serving = project.start(['serve', '--data', 'server', '--port', '0', '--json', '--drain', '600'], {})
  baseUrl = JSON.parse(await serving.firstLine()).base_url
})
afterAll(async () => {
  serving?.kill('SIGKILL')
  await serving?.finished
  await project?.remove()
})

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Over one connection for as long as that is kept. */
async function get(path: string): Promise<{ status: number | undefined; connection: string | undefined }> {
  return await new Promise((resolve, reject) => {
    const call = request(`${baseUrl}${path}`, { agent }, (reply) => {
      reply.resume().once('end', () => resolve({ status: reply.statusCode, connection: reply.headers.connection }))
    })
    call.once('error', reject).end()
  })
}

it('after SIGTERM requests are still answered, their connections end with the answer, and /healthz is 503', async () => {
  expect(await get('/healthz')).toEqual({ status: 200, connection: 'keep-alive' })
  serving.kill('SIGTERM')
  await expect.poll(async () => (await get('/healthz')).status).toBe(503)
  // New connections and new requests, as a balancer sends them that has not looked yet.
  for (let i = 0; i < 20; i++) expect(await get('/openapi.json')).toEqual({ status: 200, connection: 'close' })
  expect((await fetch(`${baseUrl}/v1/datasets`)).status).toBe(401)
  serving.kill('SIGTERM')
  expect((await serving.finished).code).toBe(143)
})

it('Ctrl-C does not wait', async () => {
  serving = project.start(['serve', '--data', 'server', '--port', '0', '--json', '--drain', '600'], {})
  await serving.firstLine()
  serving.kill('SIGINT')
  expect((await serving.finished).code).toBe(0)
})
