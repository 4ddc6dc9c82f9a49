import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, startDataService } from './data-service.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService({ work: false })
})
afterAll(async () => await service.close())

describe('the character U+0000, which the database cannot store', () => {
  it.each([
    ['GET', '/v1/jobs/%00'],
    ['GET', '/v1/datasets/ds_%00'],
    ['DELETE', '/v1/datasets/%00'],
    ['GET', '/v1/datasets/a%00/schema'],
    ['POST', '/v1/datasets/a%00/generations'],
    ['GET', '/v1/generations/%00'],
    ['GET', '/v1/artifacts/%00'],
  ])('names no resource: %s %s', async (method, path) => {
    expect(await service.ask(path, { method })).toMatchObject({ status: 404, body: { code: 'svc_not_found' } })
  })

  it.each([
    ['/v1/signup', { company_name: 'a\0b', contact_email: 'a@b.example' }],
    ['/v1/signup', { company_name: 'ab', contact_email: 'a\0@b.example' }],
    ['/oauth/token', { client_id: 'a\0', client_secret: 'x', audience: 'x', grant_type: 'client_credentials' }],
  ])('is refused in a body for %s', async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${service.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
    expect(reply.status).toBe(400)
  })
})
