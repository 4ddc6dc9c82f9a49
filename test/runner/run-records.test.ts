import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../../src/base/atomic-file.ts'
import { readRunRecords } from '../../src/runner/state/run-records.ts'
import { START_MS } from './run-rig.ts'

describe('the records of runs', () => {
  const RUNS = ['20261120T100000Z-aaaaaa', '20261120T110000Z-bbbbbb', '20261120T120000Z-cccccc'] as const
  const ASKED = { service: 'embedded', scope: null, scenarios: new Set(['base']), nowMs: START_MS + 60_000 } as const

  const record = (id: string, change: object = {}) => ({
    status: 'complete',
    outcome: { exit_code: 0, reason: 'ok', also: [] },
    scenarios: { base: { status: 'ready' } },
    run: { id, service: 'embedded', started_at: at(0), finished_at: at(1) },
    ...change,
  })
  const at = (ms: number) => new Date(START_MS + ms).toISOString()

  async function read(files: Record<string, unknown>) {
    const volume = Volume.fromJSON(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          `/out/${name}`,
          typeof content === 'string' ? content : JSON.stringify(content),
        ]),
      ),
    )
    const found = await readRunRecords(createFsFromVolume(volume).promises as unknown as FileSystem, '/out', ASKED)
    return [found.last?.id ?? null, found.lastComplete?.id ?? null]
  }

  it.each<[what: string, newest: object, expected: readonly [string, string]]>([
    ['complete', {}, [RUNS[2], RUNS[2]]],
    ['refused', { status: 'refused', outcome: { exit_code: 6, reason: 'over_budget' } }, [RUNS[2], RUNS[1]]],
    ['interrupted', { status: 'interrupted', outcome: { exit_code: 130 } }, [RUNS[2], RUNS[1]]],
    ['complete with a failed gate', { outcome: { exit_code: 9, reason: 'gates_failed' } }, [RUNS[2], RUNS[1]]],
    ['complete without this scenario', { scenarios: { base: { status: 'not_started' } } }, [RUNS[2], RUNS[1]]],
    [
      'of a clock that was wrong',
      { run: { id: RUNS[2], service: 'embedded', started_at: at(0), finished_at: at(10 * 60_000) } },
      [RUNS[2], RUNS[1]],
    ],
    [
      'of the other kind of service',
      { run: { id: RUNS[2], service: 'remote', started_at: at(0) } },
      [RUNS[1], RUNS[1]],
    ],
    ['unreadable', [], [RUNS[1], RUNS[1]]],
    ['of an id that is none', { run: { id: '../../x', service: 'embedded' } }, [RUNS[1], RUNS[1]]],
  ])('are read when the newest one is %s', async (_what, newest, expected) => {
    const runs = Object.fromEntries(RUNS.map((id) => [`runs/${id}.json`, record(id)]))
    const changed = Array.isArray(newest) ? 'not json' : record(RUNS[2], newest)
    expect(await read({ ...runs, [`runs/${RUNS[2]}.json`]: changed, 'manifest.json': record(RUNS[1]) })).toEqual(
      expected,
    )
  })

  it('include a killed run, which has no record of its own, from the manifest', async () => {
    const killed = record(RUNS[2], { status: 'running', outcome: null })
    expect(await read({ [`runs/${RUNS[0]}.json`]: record(RUNS[0]), 'manifest.json': killed })).toEqual([
      RUNS[2],
      RUNS[0],
    ])
  })

  it.each([
    ['aaaaaa', 'bbbbbb'],
    ['bbbbbb', 'aaaaaa'],
  ])('distinguish two runs of the same second by their start (%s before %s)', async (earlier, later) => {
    const ids = [earlier, later].map((end) => `20261120T120000Z-${end}`)
    const begun = (i: number) => ({ run: { id: ids[i], service: 'embedded', started_at: at(300 * i) } })
    const [first, second] = [record(ids[0]!, begun(0)), record(ids[1]!, begun(1))]
    const older = { [`runs/${RUNS[1]}.json`]: record(RUNS[1]), [`runs/${ids[0]}.json`]: first }
    expect(await read({ ...older, [`runs/${ids[1]}.json`]: second, 'manifest.json': second })).toEqual([ids[1], ids[1]])
    const refused = { ...second, status: 'refused' }
    expect(await read({ ...older, [`runs/${ids[1]}.json`]: refused, 'manifest.json': first })).toEqual([ids[1], ids[0]])
  })

  it('are empty without a folder', async () => {
    expect(await read({ 'notes.txt': 'x' })).toEqual([null, null])
  })
})
