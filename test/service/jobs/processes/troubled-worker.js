// Entry of a work process for tests: does to itself what damaged files do. Needs the compiled service.
import { mkdirSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { ProcessLimits } from '../../../../dist/service/jobs/processes/process-limits.js'
import { answerTasks, processPort } from '../../../../dist/service/jobs/processes/task-protocol.js'

const limits = new ProcessLimits(Number(process.argv[2]))
const forever = () => new Promise(() => undefined)

/** @type {Record<string, (task: any) => unknown>} */
const DEEDS = {
  answer: () => ({ pid: process.pid, env: process.env, given: process.argv.slice(3), priority: getPriority() }),
  throw: () => {
    throw new Error('a defect')
  },
  'write to a full disk': () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  },
  crash: () => process.kill(process.pid, 'SIGSEGV'),
  'be killed': () => process.kill(process.pid, 'SIGKILL'),
  'fill native memory': () => {
    // More than the limit, but not endlessly: the watcher may be slow, and the machine must survive.
    const kept = Array.from({ length: 256 }, () => Buffer.alloc(1 << 22, 1))
    for (;;) kept.reverse()
  },
  'fill the heap': () => {
    const kept = []
    for (;;) kept.push({ text: `${kept.length}` })
  },
  compute: () => {
    limits.limitTime({ cpuMs: 300, wallMs: 600_000 })
    for (;;);
  },
  wait: () => {
    limits.limitTime({ cpuMs: 600_000, wallMs: 300 })
    return forever()
  },
  'fill the disk': (task) => {
    limits.limitSpace({ folder: task.folder, bytes: 1 << 20 })
    mkdirSync(join(task.folder, 'deep'), { recursive: true })
    writeFileSync(join(task.folder, 'deep', 'file'), Buffer.alloc(1 << 21, 1))
    return forever()
  },
  'be endless': () => {
    for (;;);
  },
}

answerTasks(processPort(), async (task, { onProgress }) => {
  if (task.stage) onProgress({ stage: task.stage, progress: 0 })
  // The message must leave before the process is busy for ever.
  await new Promise(setImmediate)
  return DEEDS[task.deed]?.(task)
})
