import { parentPort, workerData } from 'node:worker_threads'
import { giveWayInThread } from './priority.ts'
import type { FromWorker, TaskPort, ToWorker } from './task-protocol.ts'

/** The line of a worker thread to whoever started it. */
export function threadPort<Task, Result>(): TaskPort<Task, Result> {
  if (parentPort === null) throw new Error('this module is the entry of a worker thread')
  const port = parentPort
  if ((workerData as { givesWay: boolean }).givesWay) giveWayInThread()
  return {
    send: (message: FromWorker<Result>) => port.postMessage(message),
    onMessage: (hear) => void port.on('message', (message: ToWorker<Task>) => hear(message)),
  }
}
