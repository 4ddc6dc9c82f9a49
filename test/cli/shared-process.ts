import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { SHORT_LIVED } from '../service/served-process.ts'
import type { Finished } from './project-folder.ts'

export interface CommandLine {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Processes that carry out no command at the moment. */
const free: ChildProcess[] = []

/**
 * Carries out a command line as its own process would, in one that carries out others before and after it: loading the command
 * and the database takes a second of processor time, and most commands of tests take less.
 *
 * @throws Error if the process ends, as a command's own process would at a fault that nobody catches.
 */
export async function inSharedProcess(line: CommandLine): Promise<Finished> {
  const child = free.pop() ?? start()
  const finished = await new Promise<Finished>((settle, fail) => {
    child.once('message', (message) => settle(message as Finished))
    child.once('exit', (code, signal) =>
      fail(new Error(`the process of the command ended with ${signal ?? code}: ${line.args.join(' ')}`)),
    )
    child.send(line)
  })
  child.removeAllListeners('exit')
  free.push(child)
  return finished
}

function start(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'command-lines.js'), [], {
    execArgv: [SHORT_LIVED],
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // It ends with this process, and does not keep it.
  child.unref()
  child.channel?.unref()
  return child
}
