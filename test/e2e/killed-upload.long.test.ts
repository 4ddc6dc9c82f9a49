import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UPLOAD_PART_BYTES } from '../../src/contract/uploads.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { type Gate, openGate } from '../client/counting-gate.ts'
import { type DataService, startDataService } from '../service/data/data-service.ts'

/** Above what is sent whole. */
const SEED = Buffer.alloc(80_000_000, 'respondent,region,answer\n1,North,Yes\n2,South,No\n')
const STUDY = `version: 1
name: large
datasets: { panel: { file: panel.csv } }
scenarios: { as-is: { rows: 10, seed: 1 } }
`

let service: DataService
let gate: Gate
let project: Project

beforeAll(async () => {
  // Training never begins: the upload is what is looked at.
  service = await startDataService({ work: false })
  gate = await openGate(service)
  project = await makeProject()
  await project.write('panel.csv', SEED)
  await project.write('large.study.yaml', STUDY)
})
afterAll(async () => {
  await project?.remove()
  await gate?.close()
  await service?.close()
})

it('a run that is killed while it uploads goes on with the upload when it starts again', async () => {
  const env = { WHATIF_BASE_URL: gate.url, WHATIF_CLIENT_ID: 'cli_test', WHATIF_CLIENT_SECRET: 'canary' }
  const run = () => project.start(['run', 'large.study.yaml', '--yes'], { env })
  const first = run()
  await expect.poll(() => gate.sentBytes, { interval: 5 }).toBeGreaterThan(SEED.length / 2)
  first.kill('SIGKILL')
  await first.finished
  const sentByFirst = gate.sentBytes

  const second = run()
  await expect.poll(() => gate.lines).toContain('POST /v1/uploads/:id/dataset')
  await expect
    .poll(async () => await service.db.query('select seed_sha256 from datasets'))
    .toEqual([{ seed_sha256: createHash('sha256').update(SEED).digest('hex') }])
  second.kill('SIGKILL')
  await second.finished
  // The part on its way is sent again, and nothing else.
  expect(sentByFirst).toBeLessThan(SEED.length)
  expect(gate.sentBytes).toBeLessThan(SEED.length + UPLOAD_PART_BYTES + 100_000)
  expect(gate.lines).not.toContain('POST /v1/datasets')
})
