import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import type { Declarations } from '../../src/study/declarations.ts'
import type { Study } from '../../src/study/study.ts'
import { ruleOf } from '../engine/sampling/ruled-people.ts'
import { DECLARED_STUDIES, studyText } from './declared-studies.ts'
import { readParquetUploads } from './parquet-uploads.ts'
import { type RunChange, SEED_CSV } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const COUNTS = { strata: 2, clusters: 40, lonely_strata: 0, replicates: 0 }

/** The study `demo` with declarations about its seed file. */
async function declared(declarations: Declarations, change: RunChange = {}): Promise<RunChange> {
  const { study } = await rig.request()
  const datasets: Study['datasets'] = new Map(
    [...study.datasets].map(([id, source]) => [id, source.kind === 'file' ? { ...source, declarations } : source]),
  )
  return { ...change, request: { study: { ...study, datasets } } }
}

const sent = () => [...double.datasets.values()]

/** The system's folder of temporary files, for these tests only. */
const usual = process.env.TMPDIR
beforeEach(async () => {
  process.env.TMPDIR = join(rig.root, 'temporary')
  await mkdir(process.env.TMPDIR)
  readParquetUploads(double)
})
afterEach(() => {
  if (usual === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = usual
})

describe('a run with declarations, at a service without our extensions', () => {
  it('sends a Parquet file without the dropped columns, and leaves no file behind', async () => {
    const change = await declared({ drop: ['id'], bands: { 'age.band': { of: 'age', at: [30, 45] } } })
    const { exitCode, message } = await rig.run(change)
    expect({ exitCode, message }).toEqual({ exitCode: 0, message: null })
    const [dataset] = sent()
    expect(dataset!.file.subarray(0, 4).toString()).toBe('PAR1')
    expect(dataset!.file.includes('id')).toBe(false)
    expect(dataset!.fields).not.toContain('weight_column')
    expect(dataset!.seed.header).toEqual(['region', 'answer', 'age', 'age.band'])
    expect(await rig.list('temporary')).toEqual([])
    expect((await rig.read('out/demo/base.csv')).split('\n')[0]).toBe('region,answer,age,age.band')
  })

  it('records the seed file as it lies there, and beside it what was sent', async () => {
    const { manifest } = await rig.run(await declared({ drop: ['id'] }))
    const [dataset] = sent()
    const digest = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(manifest.datasets.panel).toMatchObject({
      sha256: digest(SEED_CSV),
      sent: { bytes: dataset!.file.length, sha256: digest(dataset!.file) },
    })
    const plain = await rig.run(await declared({}))
    expect(plain.manifest.datasets.panel).toMatchObject({ sha256: digest(SEED_CSV) })
    expect(plain.manifest.datasets.panel).not.toHaveProperty('sent')
  })

  it.each(DECLARED_STUDIES)('carries out the declarations of %s', async (_of, declaredStudy) => {
    const { file, bytes, declarations, sent: columns, secrets } = declaredStudy
    await rig.write('demo.study.yaml', studyText(declaredStudy))
    await rig.write(file, await bytes())
    const { exitCode, message, manifest } = await rig.run(await declared(declarations))
    expect({ exitCode, message }).toEqual({ exitCode: 0, message: null })
    const [dataset] = sent()
    expect(dataset!.seed.header).toEqual(columns)
    for (const secret of secrets) expect(dataset!.file.includes(secret)).toBe(false)
    expect(Object.values(manifest.scenarios).map(({ status }) => status)).not.toContain('failed')
    expect(double.made('generations')).toBe(Object.keys(manifest.scenarios).length)
  })

  it('sends nothing again while neither file nor declarations have changed', async () => {
    const change = await declared({ drop: ['id'] })
    await rig.run(change)
    const before = double.log.length
    expect(await rig.run(change)).toMatchObject({ exitCode: 0 })
    expect(double.log).toHaveLength(before)
    expect(await rig.run(await declared({ drop: ['id', 'region'] }))).toMatchObject({ exitCode: 0 })
    expect(sent()).toHaveLength(2)
  })

  it('sends the file as it is without declarations', async () => {
    for (const declarations of [{}, { drop: undefined }] as Declarations[]) {
      expect(await rig.run(await declared(declarations))).toMatchObject({ exitCode: 0 })
    }
    expect(sent().map(({ file }) => file.toString())).toEqual([SEED_CSV])
  })

  it('is refused with all contradictions and their places, before anything is sent', async () => {
    const change = await declared({ drop: ['idd'], types: { region: 'numeric' } })
    const first = await rig.run(change)
    expect(first).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    expect(first.message).toBe(
      'demo.study.yaml:4:18: the seed file "seeds/panel.csv" of dataset "panel" does not fit its declarations: ' +
        '`drop` of "idd": the file has no such column; did you mean "id"?',
    )
    const second = await rig.run(await declared({ types: { region: 'numeric' }, dates: { answer: 'DD/MM/YYYY' } }))
    const finding = second.diagnostics.find(({ code }) => code === 'S1320')
    expect(finding?.detail.split('\n')).toHaveLength(2)
    expect(second.message).toContain('`types` of "region": numeric was declared, and no number is in 40 values')
    expect(double.log).toEqual([])
    expect(await rig.list('temporary')).toEqual([])
  })

  it('is refused when the file cannot be read completely', async () => {
    await writeFile(join(rig.root, 'seeds/panel.csv'), 'a,b\n')
    const unread = await rig.run(await declared({ drop: ['a'] }))
    expect(unread).toMatchObject({ exitCode: 4 })
    expect(unread.message).toContain('The file has a header but no rows below it.')
    expect(double.log).toEqual([])
  })

  it('is refused when there is no room for the file to be sent', async () => {
    process.env.TMPDIR = join(rig.root, 'nowhere')
    const refused = await rig.run(await declared({ drop: ['id'] }))
    expect(refused).toMatchObject({ exitCode: 4 })
    expect(refused.message).toContain('the file to be sent cannot be written (ENOENT): TMPDIR names the folder')
  })

  it('removes its file when the upload fails', async () => {
    const read = double.intercept
    double.intercept = (request) =>
      request.path === '/v1/datasets' ? { status: 422, json: { detail: 'no', code: 'svc_no' } } : read(request)
    expect((await rig.run(await declared({ drop: ['id'] }))).exitCode).not.toBe(0)
    expect(await rig.list('temporary')).toEqual([])
  })

  it('is planned from the disk alone with the same keys', async () => {
    const change = await declared({ drop: ['id'] })
    const environment = rig.environment(change)
    const before = (await planFromDisk(await rig.request(change), environment)).plan.datasets[0]!.action
    expect(before).toMatchObject({ kind: 'upload', reason: 'new' })
    await rig.run(change)
    const after = (await planFromDisk(await rig.request(change), environment)).plan.datasets[0]!.action
    expect(after.kind).toBe('none')
    expect(double.log.find(({ path }) => path === '/v1/datasets')?.key).toBe('key' in before ? before.key : null)
  })
})

describe('declared weights', () => {
  it('are named in the upload, and a service that confirms them generates', async () => {
    double.training = { weight_column: 'age' }
    expect(await rig.run(await declared({ weight: 'age' }))).toMatchObject({ exitCode: 0 })
    expect(sent()[0]!.fields).toContain('name="weight_column"\r\n\r\nage\r\n')
    expect(sent()[0]!.seed.header).toContain('age')
    expect(double.made('generations')).toBe(3)
  })

  it.each([
    ['says nothing', null],
    ['says nothing of weights', { training_rows: 40 }],
    ['names another column', { weight_column: 'id' }],
    ['says something else', { weight_column: true }],
  ])('end the run with exit 4 before anything is generated when the service %s', async (_what, training) => {
    double.training = training
    const change = await declared({ weight: 'age' })
    for (let run = 0; run < 2; run++) {
      const { exitCode, message } = await rig.run(change)
      expect(exitCode).toBe(4)
      expect(message).toContain('the study weights its rows by "age", and the service does not confirm that it does')
    }
    expect(double.made('generations')).toBe(0)
    // A trained file is not sent again, and is used as soon as the service confirms its weights.
    expect(double.made('datasets')).toBe(1)
    double.training = { weight_column: 'age' }
    expect(await rig.run(change)).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
  })

  it('make another dataset of the same file', async () => {
    const keys: unknown[] = []
    for (const declarations of [{ weight: 'age' }, { missing: { '*': ['nowhere'] } }]) {
      const change = await declared(declarations)
      const { plan } = await planFromDisk(await rig.request(change), rig.environment(change))
      const { action } = plan.datasets[0]!
      keys.push('key' in action && action.key)
    }
    expect(new Set(keys).size).toBe(2)
  })
})

describe('declared rules', () => {
  const rules = [ruleOf('age >= 18 if region = North'), ruleOf('age <= 130')]
  const confirmed = { rules: rules.map(({ text }) => ({ rule: text, columns: [] })) }

  it('are written into the file that is sent', async () => {
    double.training = confirmed
    expect(await rig.run(await declared({ rules }))).toMatchObject({ exitCode: 0 })
    expect(sent()[0]!.file.includes('whatif:rules')).toBe(true)
    expect(sent()[0]!.file.includes('age >= 18 if region = North')).toBe(true)
  })

  it.each([
    ['says nothing', null],
    ['says nothing of rules', { training_rows: 40 }],
    ['confirms one of them', { rules: confirmed.rules.slice(1) }],
    ['says something else', { rules: true }],
    [
      'confirms others',
      {
        rules: [
          { rule: 'age >= 18', columns: ['age'] },
          { rule: 'age <= 13', columns: ['age'] },
        ],
      },
    ],
  ])('end the run with exit 4 before anything is generated when the service %s', async (_what, training) => {
    double.training = training
    const change = await declared({ rules })
    for (let run = 0; run < 2; run++) {
      const { exitCode, message } = await rig.run(change)
      expect(exitCode).toBe(4)
      expect(message).toContain(
        'dataset "panel": the study has the rule "age >= 18 if region = North", and the service does not confirm that its rows keep it; nothing was generated',
      )
    }
    expect(double.made('generations')).toBe(0)
    expect(double.made('datasets')).toBe(1)
    double.training = confirmed
    expect(await rig.run(change)).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
  })

  it('are refused before anything is sent when the file contradicts them', async () => {
    const refused = await rig.run(await declared({ rules: [ruleOf('agee >= 18')] }))
    expect(refused).toMatchObject({ exitCode: 4 })
    expect(refused.message).toContain('`rules` of "agee": there is no such column')
    expect(refused.message).toContain('did you mean "age"?')
    expect(double.log).toEqual([])
  })
})

describe('a declared survey design', () => {
  const design = { strata: 'region', clusters: 'id' }
  const confirmed = { design: { clusters: 'id', strata: 'region' }, design_counts: COUNTS }

  it('is named in the upload, and the values of its columns stay here', async () => {
    double.training = confirmed
    expect(await rig.run(await declared({ design }))).toMatchObject({ exitCode: 0 })
    expect(sent()[0]!.fields).toContain('name="design"\r\n\r\n{"clusters":"id","strata":"region"}\r\n')
    expect(sent()[0]!.seed.header).toEqual(['id', 'region', 'answer', 'age'])
    for (const region of ['North', 'South']) {
      expect(SEED_CSV).toContain(region)
      expect(sent()[0]!.file.includes(region)).toBe(false)
    }
  })

  it.each([
    ['says nothing', null],
    ['says nothing of designs', { training_rows: 40 }],
    ['names another column', { ...confirmed, design: { strata: 'region', clusters: 'age' } }],
    ['names a column less', { ...confirmed, design: { clusters: 'id' } }],
    ['says something else', { design: true }],
    ['says what no text may hold', { design: { clusters: '\ud800' } }],
  ])('ends the run with exit 4 before anything is generated when the service %s', async (_what, training) => {
    double.training = training
    const change = await declared({ design })
    for (let run = 0; run < 2; run++) {
      const { exitCode, message } = await rig.run(change)
      expect(exitCode).toBe(4)
      expect(message).toContain(
        'dataset "panel": the study says how its rows were drawn, and the service does not confirm that its standard errors use it; nothing was generated',
      )
    }
    expect(double.made('generations')).toBe(0)
    expect(double.made('datasets')).toBe(1)
    double.training = confirmed
    expect(await rig.run(change)).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
  })

  it('is refused before anything is sent when the file does not have it', async () => {
    const refused = await rig.run(await declared({ design: { clusters: 'psu' } }))
    expect(refused).toMatchObject({ exitCode: 4 })
    expect(refused.message).toContain('`design` of "psu": the file has no such column')
    expect(double.log).toEqual([])
  })
})
