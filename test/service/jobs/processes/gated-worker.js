// Entry of a worker thread for tests: ends a task when its gate is opened, and returns its name, or its priority. Needs the compiled service.
import { getPriority } from 'node:os'
import { answerTasks, threadPort } from '../../../../dist/service/jobs/processes/task-protocol.js'

/** Checks every few milliseconds, so that the thread can receive other messages meanwhile. @param {Int32Array} gate */
async function isOpen(gate) {
  while (Atomics.load(gate, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

answerTasks(threadPort(), async ({ name, gate }) => {
  if (gate) await isOpen(gate)
  return name === 'priority' ? String(getPriority()) : name
})
