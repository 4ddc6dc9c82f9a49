/**
 * Training for practice: a process that waits for its first task runs small made-up tables through reading, cleaning, training
 * and measuring. Code is then loaded, and compiled in each of its threads, before a real file is there: the first training of a
 * process takes about twice the processor time of a later one.
 *
 * It leaves nothing behind but compiled code, and whatever fails in it concerns nobody.
 */

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskLimits } from '../jobs/processes/process-limits.ts'
import { practiceTable } from './practice-table.ts'
import type { trainFile } from './train-file.ts'

export interface PracticePlan {
  /** Where made-up files may lie meanwhile; every process has a folder of its own in it, which it removes. */
  readonly folder: string
  readonly threads: number
  readonly quality: boolean
}

/** Rounds after which compiled code hardly gets better, on an Adult training: one leaves half of the difference, three a tenth. */
const ROUNDS = 3
const ROWS = 1_000

const NO_LIMITS: TaskLimits = { limitTime: () => undefined, limitSpace: () => undefined }

export class Practice {
  /** Resolves when no step of it is under way any more. */
  readonly ended: Promise<void>
  readonly #abort = new AbortController()

  /** Begins when the event loop has had its turn: a task that is there already goes first. */
  constructor(plan: PracticePlan, train: typeof trainFile) {
    this.ended = this.#run(plan, train).catch(() => undefined)
  }

  /** A real task has come: nothing more is begun. The task need not wait for what is. */
  overtake(): void {
    this.#abort.abort(new Error('A real task has come.'))
  }

  async #run({ folder, threads, quality }: PracticePlan, train: typeof trainFile): Promise<void> {
    const { signal } = this.#abort
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    const own = join(folder, String(process.pid))
    try {
      await mkdir(own, { recursive: true, mode: 0o700 })
      for (let round = 0; round < ROUNDS; round++) {
        const seedPath = join(own, 'practice.csv')
        await writeFile(seedPath, practiceTable(ROWS, round), { mode: 0o600 })
        const task = {
          seedPath,
          modelPath: join(own, 'model'),
          tempDir: join(own, 'temp'),
          autoClean: true,
          namesRare: false,
          threads,
          quality,
          cpuMs: Number.POSITIVE_INFINITY,
          scratchBytes: Number.POSITIVE_INFINITY,
        }
        signal.throwIfAborted()
        await train(task, { signal, onProgress: () => undefined }, NO_LIMITS)
      }
    } finally {
      // A model that is being written when a task comes may turn up in between.
      await rm(own, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/** A plan as it is given to a process among its arguments. */
export function writePracticePlan(plan: PracticePlan): string {
  return JSON.stringify(plan)
}

export function readPracticePlan(argument: string): PracticePlan {
  return JSON.parse(argument) as PracticePlan
}
