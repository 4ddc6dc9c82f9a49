import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gate, openGate } from '../client/counting-gate.ts'
import { type DataService, startDataService } from '../service/data/data-service.ts'
import { S3Server } from '../service/storage/s3-server.ts'
import { cleanEnvironment, makeProject, type Project, shortTracker } from './project-folder.ts'

const BIN = resolve(import.meta.dirname, '../../bin/whatif.js')

const STUDY = `version: 1
name: panel
datasets: { panel: { file: panel.csv } }
defaults: { rows: 20, seed: 1, format: csv }
budget: { rows_per_run: 100 }
baseline: as-is
scenarios:
  as-is: {}
  more: { shares: { loyalty.member: { "Yes": 0.6 } } }
`

describe('questions that need no rows, with the state in a bucket', () => {
  let server: S3Server
  let service: DataService
  let gate: Gate
  let one: Project
  let empty: Project
  const variables = () => {
    const { endpoint, region, accessKeyId, secretAccessKey, bucket } = server.storage
    return {
      WHATIF_STATE: `s3://${bucket}`,
      WHATIF_S3_ENDPOINT: endpoint,
      WHATIF_S3_REGION: region,
      WHATIF_S3_ACCESS_KEY_ID: accessKeyId,
      WHATIF_S3_SECRET_ACCESS_KEY: secretAccessKey,
      WHATIF_BASE_URL: gate.url,
      WHATIF_CLIENT_ID: 'cli_test',
      WHATIF_CLIENT_SECRET: 'canary',
    }
  }
  const whatif = (project: Project, ...args: string[]) => project.whatif(args, { env: variables() })

  beforeAll(async () => {
    server = await S3Server.start('')
    service = await startDataService()
    gate = await openGate(service)
    ;[one, empty] = await Promise.all([makeProject({ sharesProcess: true }), makeProject({ sharesProcess: true })])
    for (const project of [one, empty]) {
      await project.write('panel.csv', shortTracker(['region', 'age', 'loyalty_member', 'purchase_intent']))
      await project.write('panel.study.yaml', STUDY)
    }
    expect(await whatif(one, 'run', 'panel.study.yaml', '--scope', 'pr-1')).toMatchObject({ code: 0 })
    gate.lines.length = 0
  })
  afterAll(async () => {
    await Promise.all([one?.remove(), empty?.remove()])
    await gate?.close()
    await service?.close()
    await server?.close()
  })

  const outcome = ['--outcome', 'purchase.intent.Yes', '--json']

  it.each([
    ['sensitivity', ['sensitivity', 'panel.study.yaml', ...outcome]],
    [
      'solve',
      ['solve', 'panel.study.yaml', 'more', '--lever', 'shares.loyalty.member.Yes', '--by', '+0.01', ...outcome],
    ],
  ])('%s asks about the dataset that another machine has trained', async (_, args) => {
    const { code, stdout, stderr } = await whatif(empty, ...args, '--reads', 'pr-1')
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, data: { study: 'panel' } })
    expect(gate.lines).not.toContain('POST /v1/datasets')
    expect(await empty.list('.whatif')).toEqual([])
  })

  it('without trust in the scope, the dataset is not trained', async () => {
    const { code, stderr } = await whatif(empty, 'sensitivity', 'panel.study.yaml', ...outcome)
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('the dataset panel is not trained') })
  })

  it('an assistant plans with what other machines know', async () => {
    await empty.write('whatif.state.yaml', `bucket: s3://${server.storage.bucket}\nreads: [pr-1]\n`)
    const { WHATIF_STATE: _, ...others } = variables()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp'],
      cwd: empty.root,
      env: { ...cleanEnvironment(), ...others } as Record<string, string>,
      stderr: 'ignore',
    })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport)
    try {
      const reply = await client.callTool({ name: 'plan', arguments: { study: 'panel.study.yaml' } })
      expect(reply.structuredContent).toMatchObject({
        data: { plan: { totals: { upload: 0, generate: 0, reuse: 2 } } },
      })
    } finally {
      await client.close()
    }
  })
})
