import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseSchema } from '../../../src/service/datasets/schema-text.ts'
import { Practice, writePracticePlan } from '../../../src/service/workers/practice.ts'
import { practiceTable } from '../../../src/service/workers/practice-table.ts'
import { WorkProcesses } from '../../../src/service/workers/process-pool.ts'
import { type TrainResult, type TrainTask, trainFile } from '../../../src/service/workers/train-file.ts'
import { workerEntry } from '../../../src/service/workers/worker-entry.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-practice-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const plan = () => ({ folder: join(folder, 'practice'), threads: 1, quality: true })
const left = async () => await readdir(plan().folder)
const control = () => ({ signal: new AbortController().signal, onProgress: () => undefined })
const taskOf = (seedPath: string): TrainTask => ({
  seedPath,
  modelPath: join(folder, 'model'),
  tempDir: join(folder, 'temp'),
  autoClean: true,
  namesRare: false,
  threads: 1,
  quality: true,
  scratchBytes: 1e9,
  cpuMs: 600_000,
})

describe('a practice', () => {
  it('trains on three tables of its own and leaves no file', async () => {
    const rows: number[] = []
    const practice = new Practice(plan(), async (...args) => {
      const result = await trainFile(...args)
      rows.push(result.trainingRows)
      return result
    })
    await practice.ended
    expect(rows).toEqual([1_000, 1_000, 1_000])
    expect(await left()).toEqual([])
  })

  it.each(['reading', 'cleaning', 'training', 'storing'])(
    'that is overtaken while %s begins nothing more and leaves no file',
    async (stage) => {
      const stages: string[] = []
      let trainings = 0
      const practice: Practice = new Practice(plan(), async (task, { signal }, limit) => {
        trainings++
        const onProgress = (progress: { readonly stage: string }): void => {
          stages.push(progress.stage)
          if (progress.stage === stage) practice.overtake()
        }
        return await trainFile(task, { signal, onProgress }, limit)
      })
      await practice.ended
      expect(trainings).toBe(1)
      expect(stages.at(-1)).toBe(stage)
      expect(await left()).toEqual([])
    },
  )

  it('does nothing at all where a task is there already', async () => {
    const practice = new Practice(plan(), () => {
      throw new Error('a table was trained')
    })
    practice.overtake()
    await practice.ended
    await expect(left()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('that fails does so in silence, and leaves no file', async () => {
    await new Practice(plan(), async () => await Promise.reject(new Error('defect'))).ended
    expect(await left()).toEqual([])
  })

  it('has tables with numbers and words, missing values, a date and a recoding, each time others', async () => {
    const seedPath = join(folder, 'seed.csv')
    await writeFile(seedPath, practiceTable(1_000, 0))
    const { schemaJson, quality, derivedColumns } = await trainFile(taskOf(seedPath), control(), {
      limitTime: () => undefined,
      limitSpace: () => undefined,
    })
    const schema = await parseSchema(Buffer.from(schemaJson))
    expect(schema.map(({ type }) => type)).toEqual(expect.arrayContaining(['categorical', 'numeric']))
    expect(schema.find(({ name }) => name === 'since')).toMatchObject({ format: 'date' })
    expect(schema.find(({ name }) => name === 'answer')?.missing_share).toBeGreaterThan(0)
    expect(derivedColumns.map(({ column }) => column)).toContain('age.group')
    expect(quality.quality).not.toBeNull()
    expect(practiceTable(1_000, 1)).not.toBe(practiceTable(1_000, 0))
  })
})

describe('a training in a process that stands by', () => {
  let processes: WorkProcesses<TrainTask, TrainResult> | null = null
  const train = async (
    practiceFolder: string | null,
    isUnderWay = false,
  ): Promise<{ model: Buffer; result: TrainResult }> => {
    processes = new WorkProcesses(workerEntry('train-worker.js'), { memoryBytes: 1.5 * 2 ** 30 })
    if (practiceFolder !== null) processes.standBy([writePracticePlan({ ...plan(), folder: practiceFolder })])
    const seedPath = join(folder, 'seed.csv')
    await writeFile(seedPath, practiceTable(600, 9))
    // Fails by the time limit of the test.
    while (isUnderWay && (await left().catch(() => [])).length === 0) await new Promise((done) => setTimeout(done, 5))
    const result = await processes.run(taskOf(seedPath), control())
    return { model: await readFile(join(folder, 'model')), result }
  }
  afterEach(async () => {
    await processes?.close()
  })

  it.each([
    ['that is about to practise', 'practice', false],
    ['in the midst of its practice', 'practice', true],
    ['whose practice fails', 'seed.csv/practice', false],
  ])('is the same as in any other: in one %s', async (_which, name, isUnderWay) => {
    const alone = await train(null)
    await processes?.close()
    const beside = await train(join(folder, name), isUnderWay)
    expect(beside.model.equals(alone.model)).toBe(true)
    expect({ ...beside.result, durationMs: 0 }).toEqual({ ...alone.result, durationMs: 0 })
  })
})
