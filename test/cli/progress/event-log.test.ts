import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventLog } from '../../../src/cli/progress/event-log.ts'
import { eventRecords } from '../../../src/cli/progress/event-record.ts'
import type { RunEvent } from '../../../src/runner/interface/run-event.ts'
import { FakeClock, makeRig, STUDY } from '../../runner/run-rig.ts'
import { problem, SECRET_CANARY, startServiceDouble } from '../../runner/service-double.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schemas/events.v1.json', import.meta.url), 'utf8')) as {
  allOf: { if: { properties: { type: { const: string } } } }[]
}
const TYPES = new Set(schema.allOf.map((branch) => branch.if.properties.type.const))
const isPublished: ValidateFunction = new Ajv({
  strict: true,
  allErrors: true,
  formats: { 'date-time': true },
  allowUnionTypes: true,
  strictRequired: false,
}).compile(schema)

/** The published schema lets unknown types and fields pass; what we write has none. */
function faultsOf(line: string): unknown[] {
  const record = JSON.parse(line) as { type: string } & Record<string, unknown>
  if (!TYPES.has(record.type)) return [`unknown type ${record.type}`]
  const definition = (schema as unknown as { definitions: Record<string, { properties: object }> }).definitions[
    record.type
  ]!
  const known = new Set(['v', 'ts', 'run', 'type', ...Object.keys(definition.properties)])
  const unknown = Object.keys(record).filter((key) => !known.has(key))
  return [...unknown.map((key) => `unknown field ${key}`), ...(isPublished(record) ? [] : isPublished.errors!)]
}

const HOST_CANARY = 'host-canary.internal'
const error = {
  code: 'svc_x',
  detail: 'it failed',
  message: `POST https://${HOST_CANARY}/v1/datasets: it failed`,
  requestId: 'req_1',
  jobId: null,
  generationId: null,
  datasetId: 'ds_1',
}
const holder = { pid: 7, host: HOST_CANARY, runId: 'r0', startedAt: 's', heartbeatAt: 'h' }

const CONFIDENT = {
  id: 'delta:more:answer:Yes',
  level: 'fail',
  evaluated: 1,
  expected: { delta_min: 0.02, confidence: 0.95 },
  actual: 0.08,
} as const

/** Those that the runs below do not meet. */
const RARE: RunEvent[] = [
  { type: 'lock.waiting', holder },
  { type: 'lock.taken_over', holder, because: 'heartbeat_old' },
  { type: 'journal.recovered', cutBytes: 12 },
  { type: 'manifest.damaged', path: 'out/manifest.json' },
  { type: 'results.unknown', path: 'out', scenarios: 2 },
  { type: 'journal.pending', uploads: 1, generations: 2 },
  { type: 'dataset.failed', dataset: 'panel', error },
  { type: 'dataset.expired', dataset: 'panel', datasetId: 'ds_1' },
  { type: 'dataset.retyped', dataset: 'panel', types: { q3: 'ordinal' } },
  { type: 'scenario.expired', scenario: 'base', generationId: 'gen_1' },
  { type: 'scenario.bumped', scenario: 'base', fromEpoch: 0, epoch: 1 },
  { type: 'scenario.interrupted', scenario: 'base', reason: 'interrupted by SIGINT', error },
  { type: 'status.unknown', subject: 'dataset panel', status: 'archived' },
  { type: 'scenario.downloading', scenario: 'base', receivedBytes: 5 },
  {
    type: 'diagnostics',
    diagnostics: [
      { severity: 'warning', code: 'W1', summary: 's', detail: '', range: null, suggestions: [], related: [] },
    ],
  },
  {
    type: 'gate',
    of: 'comparison',
    id: 'lift',
    gate: { id: 'mixed_model', level: 'warn', evaluated: 1, passed: false, expected: {}, actual: null },
  },
  {
    type: 'gate',
    of: 'comparison',
    id: 'lift',
    gate: { ...CONFIDENT, passed: true, interval: [0.03, 0.13] },
  },
  { type: 'gate', of: 'comparison', id: 'lift', gate: { ...CONFIDENT, passed: false, reason: 'too_few_rows' } },
]

let folder: string
let file: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'whatif-events-')))
  file = join(folder, 'events.ndjson')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const silent = { write: () => true }
const linesOf = async (): Promise<string[]> => {
  const text = await readFile(file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text.slice(0, -1).split('\n')
}

describe('the log of events', () => {
  it.each(['version: 1\nname: a\n', 'id,region\n', '\n'])('is not appended to %j, which is not a log', async (text) => {
    await writeFile(file, text)
    expect(() => openEventLog({ file, stderr: silent, clock: new FakeClock() })).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining('the file exists and is not a log of events'),
      }),
    )
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('matches its schema for every event of whole runs, and for all types', async () => {
    const double = await startServiceDouble()
    const gates = '\ncomparisons: [{ id: lift, scenarios: [more-yes], against: base, shares: [answer] }]\n'
    const rig = await makeRig(
      double,
      `${STUDY.replace('base: {}', 'base: { partial: accept, expect: { fill: { min: 0.9 } } }')}  lost: { rows: 7, seed: 9 }\n  again: { rows: 8 }\n  never: { rows: 9 }\n${gates}`,
    )
    try {
      let failures = 0
      double.feasible = (body) =>
        body.row_count === 7 ? 0 : body.conditions === undefined ? body.row_count / 2 : body.row_count
      double.intercept = ({ path, method }) => {
        if (method !== 'POST' || !path.endsWith('/generations')) return undefined
        failures++
        if (failures === 2) return problem(503, 'svc_unavailable', 'busy')
        return failures > 5 ? problem(402, 'svc_quota', 'used up') : undefined
      }
      const log = openEventLog({ file, stderr: silent, clock: rig.clock })
      await rig.run({ env: { onEvent: (event) => log.onEvent(event) }, options: { concurrency: 1 } })
      log.onService('embedded')
      for (const event of RARE) log.onEvent(event)
      await log.close()
      const lines = await linesOf()
      for (const line of lines) expect({ line, faults: faultsOf(line) }).toEqual({ line, faults: [] })
      expect([...TYPES].filter((type) => !lines.some((line) => line.includes(`"type":"${type}"`)))).toEqual([])
      const text = lines.join('\n')
      for (const secret of [SECRET_CANARY, HOST_CANARY, double.url, 'artifact_url', '/artifacts/', rig.root])
        expect(text).not.toContain(secret)
    } finally {
      await rig.remove()
      await double.close()
    }
  })

  it('has the run in every line from the start, and the time of the event', async () => {
    const clock = new FakeClock()
    const log = openEventLog({ file, stderr: silent, clock })
    log.onEvent({ type: 'run.started', runId: 'r1', study: 'demo', scenarios: 1 })
    clock.advance(1500)
    log.onEvent({ type: 'scenario.not_started', scenario: 'base', reason: 'a\n\u202eb', error })
    await log.close()
    expect(await linesOf()).toEqual([
      '{"v":1,"ts":"2026-11-20T12:00:00.000Z","run":"r1","type":"run.started","study":"demo","scenarios":1}',
      '{"v":1,"ts":"2026-11-20T12:00:01.500Z","run":"r1","type":"scenario.not_started","scenario":"base","reason":"a\\n\\u202eb"}',
    ])
  })

  it('reports the progress of a transfer once a second', async () => {
    const clock = new FakeClock()
    const log = openEventLog({ file, stderr: silent, clock })
    for (let sentBytes = 0; sentBytes <= 100; sentBytes += 10) {
      log.onEvent({ type: 'dataset.uploading', dataset: 'panel', sentBytes, totalBytes: 100 })
      clock.advance(400)
    }
    await log.close()
    expect((await linesOf()).map((line) => JSON.parse(line).sent_bytes)).toEqual([0, 10, 40, 70, 100])
  })

  it('is appended to, and a line that a crash cut short is ended first', async () => {
    await writeFile(file, '{"v":1}\n{"v":1,"ty')
    const log = openEventLog({ file, stderr: silent, clock: new FakeClock() })
    log.onService('remote')
    await log.close()
    const lines = await linesOf()
    expect(lines.slice(0, 2)).toEqual(['{"v":1}', '{"v":1,"ty'])
    expect(JSON.parse(lines[2]!)).toMatchObject({ type: 'service', state: 'remote' })
  })

  it('that cannot be opened is a fault of the command line', () => {
    expect(() => openEventLog({ file: folder, stderr: silent, clock: new FakeClock() })).toThrow(
      expect.objectContaining({ exitCode: 2, message: `--events=${folder}: it is a folder` }),
    )
  })

  it.skipIf(process.platform !== 'linux')(
    'is reported once when it can no longer be written, and the run continues',
    async () => {
      const written: string[] = []
      const stderr = { write: (text: string) => written.push(text) > 0 }
      const log = openEventLog({ file: '/dev/full', stderr, clock: new FakeClock() })
      log.onService('remote')
      log.onService('remote')
      await log.close()
      expect(written).toEqual(['warning: events cannot be written (ENOSPC); the run continues without them\n'])
    },
  )

  it('survives kill -9: the events are there in whole lines, and the next event has its own line', async () => {
    const program = `
      import { openEventLog } from ${JSON.stringify(resolve(import.meta.dirname, '../../../dist/cli/progress/event-log.js'))}
      const clock = { now: () => 0, every: () => () => {} }
      const log = openEventLog({ file: process.argv[1], stderr: process.stderr, clock })
      const reason = 'x'.repeat(20_000)
      for (let i = 0; ; i++) {
        log.onEvent({ type: 'scenario.not_started', scenario: 's' + i, reason })
        if (i === 50) process.stdout.write('go')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((settle) => child.on('exit', settle))
    child.stdout.once('data', () => child.kill('SIGKILL'))
    await ended
    // A kill can cut a line that the system was about to write; no reader has seen that line.
    const cut = (await readFile(file, 'utf8')).split('\n').at(-1)
    const log = openEventLog({ file, stderr: silent, clock: new FakeClock() })
    log.onService('remote')
    await log.close()
    const lines = await linesOf()
    expect(JSON.parse(lines.pop()!)).toMatchObject({ type: 'service', state: 'remote' })
    if (cut !== '') expect(lines.pop()).toBe(cut)
    expect(lines.length).toBeGreaterThan(50)
    lines.forEach((line, i) => {
      expect(JSON.parse(line).scenario).toBe(`s${i}`)
    })
  })

  it('has a record without names of the host for every event', () => {
    const text = JSON.stringify(RARE.flatMap(eventRecords))
    expect(text).not.toContain(HOST_CANARY)
  })
})
