import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkOffline } from '../../src/runner/check-offline.ts'
import { checkStudy } from '../../src/runner/check-study.ts'
import { type LockOptions, lockStudy, type StudyLocking } from '../../src/runner/lock-study.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { renderDiagnostics } from '../../src/study/diagnostics/render-diagnostic.ts'
import { STUDY as RIG_STUDY, type RunChange, SEED_CSV } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

/** A study without its only finding, so that only those of the lock are left. */
const STUDY = RIG_STUDY.replace('Yes:', '"Yes":')

useRig(STUDY)

const LOCK = 'demo.study.lock.json'
const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`
const LOCKED: RunChange = { options: { locked: true } }
const NO_SERVICE: RunChange = {
  env: {
    client: async () => {
      throw new Error('the service is not needed')
    },
  },
}

async function lock(options: Partial<LockOptions> = {}, change: RunChange = {}): Promise<StudyLocking> {
  const all = { check: false, hashLevels: false, newSalt: () => '5'.repeat(32), ...options }
  return lockStudy(await rig.request(change), rig.environment(change), all)
}

async function offline(change: RunChange = {}) {
  const request = await rig.request(change)
  const { study, studyFile, projectRoot, options } = request
  const { allowOutside, allowHidden, locked, datasetIds } = options
  return checkOffline(
    { study, studyFile, projectRoot, allowOutside, allowHidden, locked, datasetIds },
    rig.environment(NO_SERVICE),
  )
}

async function plan(change: RunChange = {}) {
  return planFromDisk(await rig.request(change), rig.environment(NO_SERVICE))
}

const texts = ({ changes }: StudyLocking) => changes.map(({ path, text }) => `${path.join('.')}: ${text}`)
const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map((d) => d.code)

/** The seed file with another level, in place of one or beside it. */
const seedWith = (from: string, to: string) => rig.write('seeds/panel.csv', SEED_CSV.replaceAll(from, to))

describe('whatif lock', () => {
  it('trains the seed file, generates nothing, and writes what cleaning made of it', async () => {
    const done = await lock()
    expect(done).toMatchObject({ exitCode: 0, reason: 'ok', message: null, lockFile: LOCK, written: true })
    expect(texts(done)).toEqual([': added'])
    expect([double.made('datasets'), double.made('generations')]).toEqual([1, 0])
    const text = await rig.read(LOCK)
    expect(text).toMatch(/^ {8}"answer": \{"kind": "categorical", "levels": \["No", "Yes"\]\},$/m)
    expect(text).toMatch(/^ {8}"region": \{"kind": "categorical", "levels": \["East", "North", "South", "West"\]\}$/m)
    expect(text).toMatch(new RegExp(`^ {6}"bytes": ${Buffer.byteLength(SEED_CSV)},$`, 'm'))
    expect(text).not.toMatch(/ds_|job_|20\d\d-|127\.0\.0\.1/)
    expect(await rig.list('.')).toEqual(['.whatif', LOCK, 'demo.study.yaml', 'seeds'])
  })

  it('writes nothing and asks nothing when nothing changed', async () => {
    await lock()
    const asked = double.log.length
    const again = await lock({}, NO_SERVICE)
    expect(again).toMatchObject({ exitCode: 0, written: false, changes: [] })
    expect(double.log.length).toBe(asked)
  })

  it('restores the layout without reporting a change', async () => {
    await lock()
    const text = await rig.read(LOCK)
    await rig.write(LOCK, JSON.stringify(JSON.parse(text)))
    expect(await lock({ check: true })).toMatchObject({ exitCode: 0, changes: [], written: false })
    expect(await lock()).toMatchObject({ exitCode: 0, changes: [], written: true })
    expect(await rig.read(LOCK)).toBe(text)
  })

  it('reports the changes field by field', async () => {
    await lock()
    await seedWith('West', 'Centre')
    expect(texts(await lock())).toEqual([
      expect.stringMatching(/^panel.bytes: \d+ → \d+$/),
      expect.stringMatching(/^panel.fingerprint: /),
      expect.stringMatching(/^panel.sha256: /),
      'panel.columns.region.levels: + "Centre", - "West"',
      expect.stringMatching(/^panel.schema_sha256: /),
    ])
    expect(await lock({ check: true }, NO_SERVICE)).toMatchObject({ exitCode: 0 })
  })

  it('forgets datasets that the study no longer uses', async () => {
    await lock()
    await rig.write('demo.study.yaml', STUDY.replace('panel: {', 'wave: {'))
    expect(texts(await lock())).toEqual(['panel: removed', 'wave: added'])
  })

  it('does not let a trained dataset stand in for a seed file', async () => {
    const done = await lock({}, { options: { datasetIds: new Map([['panel', 'ds_1']]) } })
    expect(done).toMatchObject({ exitCode: 2, written: false })
    expect(done.message).toContain('run whatif lock without --dataset panel=')
    expect(double.log).toEqual([])
  })

  it('says why a dataset could not be trained, and leaves the lock as it was', async () => {
    double.intercept = (r) => (r.path === '/v1/datasets' ? { status: 400, json: { detail: 'no table' } } : undefined)
    expect(await lock()).toMatchObject({ exitCode: 7, written: false, message: expect.stringContaining('no table') })
    expect(await rig.list('.')).not.toContain(LOCK)
  })

  it('replaces a link by a file, and writes nothing to its target', async () => {
    await rig.write('other.json', '{"lock_version": 1, "datasets": {}}')
    await symlink('other.json', join(rig.root, LOCK))
    expect(await lock()).toMatchObject({ exitCode: 0, written: true })
    expect(await rig.read('other.json')).toBe('{"lock_version": 1, "datasets": {}}')
  })

  describe('of a dataset that is named by id', () => {
    beforeEach(async () => {
      await lock()
      const [id] = [...double.datasets.keys()]
      await rig.write('demo.study.yaml', STUDY.replace('{ file: seeds/panel.csv }', `{ dataset_id: ${id} }`))
    })

    it('holds neither the id nor a seed file, so that a younger dataset with the same columns changes nothing', async () => {
      expect(texts(await lock())).toEqual(['panel: file → dataset_id'])
      const text = await rig.read(LOCK)
      expect(text).not.toMatch(/ds_|"sha256"|"bytes"|auto_clean|fingerprint/)
      await rig.write('seeds/panel.csv', SEED_CSV)
      await rig.write(
        'demo.study.yaml',
        STUDY.replace('name: demo', 'name: other').replace('panel.csv }', 'panel.csv, display_name: B }'),
      )
      await lock()
      const younger = [...double.datasets.keys()].at(-1)!
      await rig.write('demo.study.yaml', STUDY.replace('{ file: seeds/panel.csv }', `{ dataset_id: ${younger} }`))
      await lock()
      expect(await rig.read(LOCK)).toBe(text)
    })
  })
})

describe('whatif lock --check', () => {
  it('exits 4 without a lock, and writes and trains nothing', async () => {
    const done = await lock({ check: true }, NO_SERVICE)
    expect(done).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data', written: false, digest: null })
    expect(texts(done)).toEqual([': added'])
    expect(await rig.list('.')).not.toContain(LOCK)
  })

  it('exits 4 when the seed file has changed, before anything is uploaded', async () => {
    await lock()
    const before = await rig.read(LOCK)
    await seedWith('West', 'Centre')
    const done = await lock({ check: true }, NO_SERVICE)
    expect(done.exitCode).toBe(4)
    expect(texts(done).map((t) => t.split(':')[0])).toEqual(['panel.bytes', 'panel.fingerprint', 'panel.sha256'])
    expect(await rig.read(LOCK)).toBe(before)
  })

  it('exits 0 when the lock holds, even where the state is empty', async () => {
    await lock()
    expect(await lock({ check: true }, NO_SERVICE)).toMatchObject({ exitCode: 0, changes: [] })
    await rm(join(rig.root, '.whatif'), { recursive: true })
    expect(await lock({ check: true })).toMatchObject({ exitCode: 0, changes: [] })
  })
})

describe('whatif lock --hash-levels', () => {
  it('stores no level name, and keeps salt and digests when it is written again', async () => {
    await lock({ hashLevels: true })
    const text = await rig.read(LOCK)
    expect(text).not.toMatch(/North|Yes/)
    expect(await lock({ newSalt: () => '6'.repeat(32), hashLevels: true })).toMatchObject({
      written: false,
      changes: [],
    })
    // This holds without the option as well: hidden names are not revealed by default.
    expect(await lock({ newSalt: () => '6'.repeat(32) })).toMatchObject({ written: false, changes: [] })
    expect(await rig.read(LOCK)).toBe(text)
  })

  it('turns a lock with names into one without', async () => {
    await lock()
    expect(texts(await lock({ hashLevels: true }))).toEqual(['level_salt: added'])
    expect(await rig.read(LOCK)).not.toContain('North')
  })

  it('still finds unknown levels, counts the others, and reveals no name', async () => {
    await lock({ hashLevels: true })
    await rig.write('demo.study.yaml', STUDY.replace('"Yes": 0.7', '"Yes": 0.7, Maybe: 0.1'))
    const { diagnostics } = await offline()
    expect(diagnostics.map((d) => `${d.code} ${d.summary}\n${d.detail}`)).toEqual([
      expect.stringMatching(
        /^S2103 unknown level "Maybe" in column "answer"\nretained levels: 2, names hidden\nschema: demo.study.lock.json \(panel, [0-9a-f]{8}\)/,
      ),
    ])
    await rig.write('demo.study.yaml', STUDY.replace('answer: { "Yes": 0.7 }', 'region: { North: 0.7 }'))
    expect((await offline()).diagnostics.map((d) => `${d.code} ${d.summary}`)).toEqual([
      'N2109 shares of column "region": 0.30 over 3 unlisted levels',
    ])
  })

  it('still reports drift', async () => {
    await lock({ hashLevels: true })
    await seedWith('Yes', 'Ja')
    const result = await rig.run()
    expect(result.exitCode).toBe(4)
    expect(codes(result)).toEqual(['W2204', 'S2202'])
  })
})

describe('--locked', () => {
  it.each([
    ['run', async () => rig.run({ ...NO_SERVICE, ...LOCKED })],
    ['validate', async () => checkStudy(await rig.request(LOCKED), rig.environment(NO_SERVICE))],
    ['validate --offline', async () => ({ exitCode: 4, ...(await offline(LOCKED)) })],
    ['plan', async () => ({ exitCode: 4, ...(await plan(LOCKED)) })],
  ])('%s: is refused without a lock, and nothing is sent', async (_command, go) => {
    const result = await go()
    expect(result.exitCode).toBe(4)
    expect(codes(result)).toEqual(['S2302'])
  })

  it.each([
    ['run', async () => rig.run({ ...NO_SERVICE, ...LOCKED })],
    ['validate', async () => checkStudy(await rig.request(LOCKED), rig.environment(NO_SERVICE))],
    ['validate --offline', async () => ({ exitCode: 4, ...(await offline(LOCKED)) })],
    ['plan', async () => ({ exitCode: 4, ...(await plan(LOCKED)) })],
  ])('%s: is refused with another seed file, and nothing is sent', async (_command, go) => {
    await lock()
    await seedWith('r1,', 'r100,')
    const result = await go()
    expect(result.exitCode).toBe(4)
    const [fault] = result.diagnostics.filter((d) => d.code === 'S2303')
    expect(fault?.detail).toMatch(
      /^panel.bytes: \d+ → \d+\npanel.fingerprint: .*\npanel.sha256: .*\nwhatif validate without --locked says .*; whatif lock accepts it, .*$/,
    )
  })

  it('is refused when the same file is now cleaned in another way, before anything is generated', async () => {
    await lock()
    await rm(join(rig.root, '.whatif'), { recursive: true })
    double.intercept = (r) =>
      r.path.endsWith('/schema')
        ? {
            status: 200,
            json: {
              schema: [
                { name: 'region', levels: ['North', 'South'] },
                { name: 'answer', levels: ['Yes', 'No'] },
                { name: 'age' },
              ],
            },
          }
        : undefined
    const result = await rig.run(LOCKED)
    expect(result).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    expect(double.made('generations')).toBe(0)
    expect(result.diagnostics.find((d) => d.code === 'S2303')?.detail).toContain(
      'panel.columns.region.levels: - "East", "West"',
    )
    expect(codes(await checkStudy(await rig.request(LOCKED), rig.environment()))).toContain('S2303')
  })

  it('lets a run continue with the data that the lock describes, and again when everything is up to date', async () => {
    await lock()
    expect(await rig.run(LOCKED)).toMatchObject({ exitCode: 0 })
    expect(await rig.run({ ...NO_SERVICE, ...LOCKED })).toMatchObject({ exitCode: 0 })
    expect((await plan(LOCKED)).diagnostics.filter((d) => d.severity === 'error')).toEqual([])
    expect((await offline(LOCKED)).diagnostics.filter((d) => d.severity === 'error')).toEqual([])
  })

  it('accepts a trained dataset with the same columns instead of the seed file', async () => {
    await lock()
    const [id] = [...double.datasets.keys()]
    const datasetIds = new Map([['panel', id!]])
    expect(await rig.run({ options: { locked: true, datasetIds } })).toMatchObject({ exitCode: 0 })
  })
})

describe('a run with a lock', () => {
  it('never writes it', async () => {
    await lock()
    const text = await rig.read(LOCK)
    await seedWith('West', 'Centre')
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(await rig.read(LOCK)).toBe(text)
    await rm(join(rig.root, LOCK))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(await rig.list('.')).not.toContain(LOCK)
  })

  it('reports changes that no condition uses, and continues', async () => {
    await lock()
    await seedWith('West', 'Centre')
    const result = await rig.run()
    expect(result.exitCode).toBe(0)
    const note = result.diagnostics.find((d) => d.code === 'N2208')
    expect(note?.detail).toBe('column "region" lost West\ncolumn "region" gained Centre')
  })

  it('is refused before anything is generated when a level that it needs is gone', async () => {
    await lock()
    await seedWith('Yes', 'Ja')
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    expect(double.made('generations')).toBe(0)
    expect(renderDiagnostics(result.diagnostics, { sources: new Map(), color: false })).toMatch(
      /^error S2202 level "Yes" of column "answer" is gone since demo\.study\.lock\.json\n {2}demo\.study\.yaml:8:35$/m,
    )
  })

  it('with policy.drift: warn refuses only the scenarios that need it, and sends nothing for them', async () => {
    await rig.write('demo.study.yaml', `${STUDY}policy: { drift: warn }\n`)
    await lock()
    await seedWith('Yes', 'Ja')
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    expect(codes(result)).toEqual(['N2207', 'W2206'])
    expect(double.made('generations')).toBe(2)
    const { scenarios, status } = await rig.manifest()
    expect(status).toBe('complete')
    expect(Object.entries(scenarios).map(([id, s]) => [id, s.status])).toEqual([
      ['base', 'ready'],
      ['more-yes', 'refused'],
      ['young', 'ready'],
    ])
    expect(scenarios['more-yes']?.error).toMatchObject({
      code: 'drift',
      detail: 'level "Yes" of column "answer" is gone since demo.study.lock.json; nothing was sent',
    })
    // The same again: what is done is done, and the refused one is still refused.
    expect(await rig.run()).toMatchObject({ exitCode: 4 })
    expect(double.made('generations')).toBe(2)
  })

  it('with policy.drift: warn keeps a scenario that is up to date, even if the data no longer have its level', async () => {
    await rig.write('demo.study.yaml', `${STUDY}policy: { drift: warn }\n`)
    await lock()
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    // The same file, cleaned in another way when it is trained again.
    double.forget('datasets')
    double.revise = (json, { path }) => {
      if (!path.endsWith('/schema')) return json
      const columns = json.schema as { name: string; levels?: string[] }[]
      return { schema: columns.map((c) => (c.name === 'answer' ? { ...c, levels: ['Ja', 'No'] } : c)) }
    }
    await rig.write('demo.study.yaml', `${STUDY.replace('max: 30', 'max: 31')}policy: { drift: warn }\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect((await rig.manifest()).run.actions).toEqual({ base: 'reused', 'more-yes': 'reused', young: 'generated' })
  })

  it('is refused under any policy if a name is not in the lock either', async () => {
    await rig.write('demo.study.yaml', `${STUDY.replace('"Yes": 0.7', 'Yess: 0.7')}policy: { drift: warn }\n`)
    await lock()
    const result = await rig.run()
    expect(result.exitCode).toBe(4)
    expect(codes(result)).toContain('S2103')
    expect(double.made('generations')).toBe(0)
  })
})

describe('validate --offline', () => {
  it('has no names to check a study against without a lock', async () => {
    expect(await offline()).toMatchObject({ diagnostics: [], lockFile: { lock: null } })
  })

  it('finds columns and levels that the lock does not have, at their places', async () => {
    await lock()
    await rig.write('demo.study.yaml', STUDY.replace('"Yes": 0.7', 'Yess: 0.7').replace('age:', 'aeg:'))
    const { diagnostics } = await offline()
    const [digest] = /(?<="schema_sha256": ")[0-9a-f]{8}/.exec(await rig.read(LOCK))!
    expect(renderDiagnostics(diagnostics, { sources: new Map(), color: false })).toBe(
      [
        'error S2103 unknown level "Yess" in column "answer"',
        '  demo.study.yaml:8:35',
        '  did you mean "Yes"?  retained levels: No, Yes',
        `  schema: demo.study.lock.json (panel, ${digest})`,
        '  in scenario more-yes',
        'error S2102 column "aeg" does not exist after cleaning',
        '  demo.study.yaml:9:22',
        '  did you mean "age"?  columns: age, answer, id, region',
        `  schema: demo.study.lock.json (panel, ${digest})`,
        '  in scenario young',
      ].join('\n'),
    )
  })

  it('does not refuse shares because a lock has no information about missing values', async () => {
    await lock()
    await rig.write('demo.study.yaml', STUDY.replace('"Yes": 0.7', '"Yes": 0.7, "No": 0.2'))
    expect((await offline()).diagnostics.map((d) => d.summary)).toEqual([
      'shares of column "answer": 0.10 left to missing values, if the column has any',
    ])
  })

  it.each<[string, () => Promise<void>, string[]]>([
    ['the seed file is another', () => seedWith('West', 'Centre'), ['W2304']],
    [
      'it is cleaned otherwise',
      () => rig.write('demo.study.yaml', STUDY.replace('.csv }', '.csv, auto_clean: false }')),
      ['W2304'],
    ],
    ['the seed file is not there', () => rm(join(rig.root, 'seeds/panel.csv')), ['N2306']],
    ['a pointer of Git LFS lies in its place', () => rig.write('seeds/panel.csv', LFS_POINTER), ['N2306']],
    ['a merge left both sides in it', () => seedWith('\n', '\n<<<<<<< a\n=======\n>>>>>>> b\n'), ['S1304']],
    [
      'the dataset has another name',
      () => rig.write('demo.study.yaml', STUDY.replace('panel: {', 'wave: {')),
      ['W2305'],
    ],
    [
      'the dataset is named by id now',
      () => rig.write('demo.study.yaml', STUDY.replace('file: seeds/panel.csv', 'dataset_id: ds_1')),
      ['W2305'],
    ],
  ])('reports when %s', async (_what, change, expected) => {
    await lock()
    await change()
    const found = (await offline()).diagnostics.filter((d) => d.code !== 'N2109')
    expect(found.map((d) => d.code)).toEqual(expected)
    expect(found[0]?.range?.start.line).toBe(4)
  })

  it('says which pointer lies in place of the seed file, which is no change of the data', async () => {
    await lock()
    await rig.write('seeds/panel.csv', LFS_POINTER)
    const { diagnostics, reason } = await offline(LOCKED)
    const [remark] = diagnostics.filter(({ code }) => code === 'N2306')
    expect(remark?.summary).toContain('is not the data, so it was not compared with the lock')
    expect(remark?.detail).toContain('git lfs pull')
    expect(reason).toBe('ok')
  })

  it.each([
    ['is not the one that is pinned', `.csv, sha256: ${'0'.repeat(64)} }`, ['S1306'], 'does_not_fit_data'],
    ['leads out of the project', '.csv }', ['S1302'], 'invalid_study'],
  ])('refuses a seed file that %s, and lists the other findings', async (what, pinned, expected, reason) => {
    await lock()
    await rig.write('demo.study.yaml', STUDY.replace('.csv }', pinned).replace('age:', 'aeg:'))
    if (what.startsWith('leads')) {
      await rm(join(rig.root, 'seeds/panel.csv'))
      await symlink('/etc/hosts', join(rig.root, 'seeds/panel.csv'))
    }
    const found = await offline()
    const errors = found.diagnostics.filter((d) => d.severity === 'error').map((d) => d.code)
    expect([errors, found.reason]).toEqual([[...expected, 'S2102'], reason])
  })

  it('has a lock that plan uses if no schema is known', async () => {
    await lock()
    await rm(join(rig.root, '.whatif'), { recursive: true })
    await rig.write('demo.study.yaml', STUDY.replace('"Yes": 0.7', 'Yess: 0.7'))
    expect(codes(await plan())).toEqual(['S2103'])
    await seedWith('West', 'Centre')
    // A lock of another file says nothing about this one.
    expect(codes(await plan())).toEqual([])
  })

  it('has a lock whose digest is in the plan', async () => {
    expect((await plan()).lockDigest).toBe(null)
    const { digest } = await lock()
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect((await plan()).lockDigest).toBe(digest)
  })
})

describe('a lock that cannot be used', () => {
  const unusable: [string, () => Promise<void>, string][] = [
    ['is not JSON', () => rig.write(LOCK, 'lock'), 'S2301 demo.study.lock.json: it is not JSON'],
    [
      'was merged by hand',
      () => rig.write(LOCK, '{\n<<<<<<< HEAD\n=======\n>>>>>>> b\n}'),
      'S2301 demo.study.lock.json: it holds an unresolved merge conflict',
    ],
    [
      'is a folder',
      async () => void (await mkdir(join(rig.root, LOCK))),
      'S2301 demo.study.lock.json: it is not a regular file',
    ],
    [
      'is not text',
      () => writeFile(join(rig.root, LOCK), Buffer.from([0xff])),
      'S2301 demo.study.lock.json: it is not UTF-8 text',
    ],
    ['leads nowhere', () => symlink('nowhere.json', join(rig.root, LOCK)), 'S1302'],
    [
      'leads out of the project',
      () => symlink('/etc/hostname', join(rig.root, LOCK)),
      'S1302 the lock file "demo.study.lock.json" is a link out of the project',
    ],
  ]

  it.each(unusable)('because it %s stops every command before anything is sent', async (_what, make, says) => {
    await make()
    const said = (d: { code: string; summary: string } | undefined) => `${d?.code} ${d?.summary}`
    // The lock is made again where a merge left both sides, and read otherwise.
    const check = { check: says.includes('merge conflict') }
    for (const result of [await rig.run(NO_SERVICE), await lock(check, NO_SERVICE)]) {
      expect(result.exitCode).toBe(says.startsWith('S2301') ? 4 : 3)
      expect(said(result.diagnostics[0])).toContain(says)
    }
    for (const command of [() => plan(), () => offline()])
      await expect(command()).rejects.toMatchObject({ diagnostics: [{ code: says.slice(0, 5) }] })
  })
})

describe('a lock with an unresolved merge conflict', () => {
  const conflicted = async () => {
    const text = await rig.read(LOCK)
    const lines = text.split('\n')
    const at = lines.findIndex((line) => line.includes('"bytes"'))
    const sides = ['<<<<<<< HEAD', lines[at]!, '=======', lines[at]!.replace(/\d+/, '7'), '>>>>>>> wave2']
    await rig.write(LOCK, [...lines.slice(0, at), ...sides, ...lines.slice(at + 1)].join('\n'))
    return text
  }

  it('is made again by whatif lock, and by nothing else', async () => {
    await lock()
    const text = await conflicted()
    const says =
      /^demo\.study\.lock\.json: it holds an unresolved merge conflict, with marks in lines \d+, \d+ and \d+$/
    const run = await rig.run(NO_SERVICE)
    expect([run.exitCode, run.diagnostics[0]!.summary]).toEqual([4, expect.stringMatching(says)])
    expect(run.diagnostics[0]!.detail).toBe('run whatif lock, which makes it again from the study and its data')
    expect((await lock({ check: true }, NO_SERVICE)).exitCode).toBe(4)
    const done = await lock()
    expect(done).toMatchObject({ exitCode: 0, written: true, replaced: expect.stringContaining('merge conflict') })
    expect(await rig.read(LOCK)).toBe(text)
    expect(await lock()).toMatchObject({ written: false, replaced: null })
  })

  it('keeps digests in place of level names, and their salt', async () => {
    await lock({ hashLevels: true })
    const text = await conflicted()
    await lock({ newSalt: () => '6'.repeat(32) })
    expect(await rig.read(LOCK)).toBe(text)
  })
})

describe('line ends that git changed', () => {
  const CRLF = SEED_CSV.replaceAll('\n', '\r\n')

  it('are named by --locked, offline and in a plan', async () => {
    await lock()
    await rig.write('seeds/panel.csv', CRLF)
    for (const checked of [await offline(LOCKED), await plan(LOCKED)]) {
      const found = checked.diagnostics.find(({ code }) => code === 'S2303')
      expect(found?.detail).toContain('panel: only the line ends differ (CRLF here, LF before)')
    }
    const [warned] = (await offline()).diagnostics.filter(({ code }) => code === 'W2304')
    expect(warned?.summary).toContain('in its line ends')
  })

  it('are not named when the file itself is another one', async () => {
    await lock()
    await rig.write('seeds/panel.csv', CRLF.replaceAll('West', 'Centre'))
    const found = (await offline(LOCKED)).diagnostics.find(({ code }) => code === 'S2303')
    expect(found?.detail).not.toContain('line ends')
    expect((await offline()).diagnostics.find(({ code }) => code === 'W2304')?.summary).not.toContain('line ends')
  })
})
