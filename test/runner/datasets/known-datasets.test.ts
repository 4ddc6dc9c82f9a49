import * as fs from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServiceClient } from '../../../src/client/create-service-client.ts'
import type { ServiceClient } from '../../../src/client/service-client.ts'
import {
  datasetsInStates,
  joinDatasets,
  type KnownDataset,
  listDatasets,
} from '../../../src/runner/datasets/known-datasets.ts'
import { makeRig, type Rig, STUDY } from '../run-rig.ts'
import { SECRET_CANARY, type ServiceDouble, startServiceDouble } from '../service-double.ts'

let double: ServiceDouble
let client: ServiceClient
let rig: Rig

beforeEach(async () => {
  double = await startServiceDouble()
  client = createServiceClient({
    baseUrl: double.url,
    authUrl: double.url,
    clientId: 'cli_1',
    clientSecret: SECRET_CANARY,
  })
  rig = await makeRig(double)
})

afterEach(async () => {
  await client.close()
  await rig.remove()
  await double.close()
})

const DATE = '2026-01-02T03:04:05Z'
const entry = (id: string) => ({
  dataset_id: id,
  status: 'ready',
  display_name: id,
  created_at: DATE,
  expires_at: DATE,
})

/** Answers lists with these pages, by cursor. */
function listPages(pages: Readonly<Record<string, { ids: readonly string[]; next: string | null }>>): string[] {
  const asked: string[] = []
  double.intercept = ({ method, path }) => {
    if (method !== 'GET' || !path.startsWith('/v1/datasets?')) return undefined
    asked.push(path)
    const { ids, next } = pages[new URLSearchParams(path.split('?')[1]).get('cursor') ?? '']!
    return { status: 200, json: { datasets: ids.map(entry), limit: 100, next_cursor: next } }
  }
  return asked
}

describe('datasets in the states of a project', () => {
  it('do not exist where no study ever ran', async () => {
    expect(await datasetsInStates(fs, rig.root, 'embedded')).toEqual([])
  })

  it('include those that runs trained, with the file that the study names', async () => {
    await rig.run()
    const [found, ...others] = await datasetsInStates(fs, rig.root, 'embedded')
    expect(others).toEqual([])
    expect(found).toMatchObject({
      datasetId: [...double.datasets.keys()][0],
      uses: [{ study: 'demo', dataset: 'panel' }],
      file: 'seeds/panel.csv',
      displayName: 'panel',
      atService: 'unknown',
    })
    expect(await datasetsInStates(fs, rig.root, '0a1b2c3d'), 'of another service').toEqual([])
  })

  it('have the names that the study gives their ids, and none for ids from elsewhere', async () => {
    await rig.run()
    const [id] = double.datasets.keys()
    const inState = async (service = 'embedded') =>
      (await datasetsInStates(fs, rig.root, service)).map(({ datasetId, uses }) => ({ datasetId, uses }))
    const OTHER = { label: '0a1b2c3d', kind: 'remote' } as const
    const of = (dataset: string | null) => ({ study: 'demo', dataset })
    await rig.run({ options: { datasetIds: new Map([['panel', id!]]) } })
    expect(await inState(), 'the same that this study trained').toEqual([{ datasetId: id, uses: [of('panel')] }])
    await rig.run({ options: { datasetIds: new Map([['panel', id!]]), scope: 'x' }, request: { service: OTHER } })
    expect(await inState(OTHER.label)).toEqual([{ datasetId: id, uses: [of(null)] }])
    await rig.write('demo.study.yaml', STUDY.replace('file: seeds/panel.csv', `dataset_id: ${id}`))
    expect(await inState()).toEqual([{ datasetId: id, uses: [of('panel')] }])
    await rig.write('demo.study.yaml', STUDY.replace('panel: { file: seeds/panel.csv }', `live: { dataset_id: ${id} }`))
    expect(await inState()).toEqual([{ datasetId: id, uses: [of('panel'), of('live')] }])
  })

  it('are shown without a file once the study is gone', async () => {
    await rig.run()
    await fs.rm(`${rig.root}/demo.study.yaml`)
    expect(await datasetsInStates(fs, rig.root, 'embedded')).toMatchObject([{ file: null, displayName: 'panel' }])
  })

  it('of a damaged state are refused, not skipped', async () => {
    await rig.run()
    await rig.write('.whatif/studies/demo/embedded/state.json', '{')
    await expect(datasetsInStates(fs, rig.root, 'embedded')).rejects.toThrow(
      /^state\.json in \.whatif\/studies\/[a-z]+\/embedded is not readable/,
    )
  })
})

describe('datasets that the service lists', () => {
  it('are read page by page', async () => {
    const asked = listPages({ '': { ids: ['ds_3', 'ds_2'], next: 'a/b&c' }, 'a/b&c': { ids: ['ds_1'], next: null } })
    const { entries, isAll } = await listDatasets(client, {})
    expect(entries.map((e) => e.dataset_id)).toEqual(['ds_3', 'ds_2', 'ds_1'])
    expect(isAll).toBe(true)
    expect(asked).toEqual(['/v1/datasets?limit=100', '/v1/datasets?limit=100&cursor=a%2Fb%26c'])
  })

  it('are read up to the thousandth', async () => {
    let pages = 0
    double.intercept = ({ path }) =>
      path.startsWith('/v1/datasets?')
        ? { status: 200, json: { datasets: [entry(`ds_${pages}`)], next_cursor: `c${++pages}` } }
        : undefined
    expect(await listDatasets(client, {})).toMatchObject({ isAll: false, entries: { length: 10 } })
  })

  it('end where a service repeats its cursor', async () => {
    const asked = listPages({ '': { ids: ['ds_1'], next: 'x' }, x: { ids: ['ds_2'], next: 'x' } })
    expect((await listDatasets(client, {})).entries).toHaveLength(2)
    expect(asked).toHaveLength(2)
  })
})

describe('state and service together', () => {
  const known = (datasetId: string, rest: Partial<KnownDataset> = {}): KnownDataset => ({
    datasetId,
    uses: [{ study: 'demo', dataset: 'panel' }],
    file: 'p.csv',
    displayName: 'panel',
    trainedAt: DATE,
    expiresAt: null,
    atService: 'unknown',
    ...rest,
  })

  it('show existing, missing and locally unused datasets', () => {
    const joined = joinDatasets([known('ds_1'), known('ds_2')], {
      entries: [entry('ds_3'), entry('ds_1')],
      isAll: true,
    })
    expect(joined).toEqual([
      {
        datasetId: 'ds_3',
        uses: [],
        file: null,
        displayName: 'ds_3',
        trainedAt: DATE,
        expiresAt: DATE,
        atService: 'there',
      },
      known('ds_1', { displayName: 'ds_1', expiresAt: DATE, atService: 'there' }),
      known('ds_2', { atService: 'gone' }),
    ])
  })

  it('do not mark datasets as gone that an incomplete list may hold', () => {
    expect(joinDatasets([known('ds_2')], { entries: [], isAll: false })).toEqual([known('ds_2')])
  })
})
