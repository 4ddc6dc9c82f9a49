// Carries out command lines of `whatif`, one after another, each in a folder and an environment of its own. It is started by
// `shared-process.ts`, and ends with the process that started it.
import { fileURLToPath } from 'node:url'
import { main } from '../../dist/bundle/main.js'

const LAUNCHER = fileURLToPath(new URL('../../bin/whatif.js', import.meta.url))
const STREAMS = /** @type {const} */ (['stdout', 'stderr'])
const written = { stdout: process.stdout.write, stderr: process.stderr.write }

process.on('disconnect', () => process.exit())
process.on('message', async (/** @type {import('./shared-process.ts').CommandLine} */ { args, cwd, env }) => {
  /** @type {Record<'stdout' | 'stderr', Buffer[]>} */
  const said = { stdout: [], stderr: [] }
  for (const name of STREAMS) {
    // A command listens to its streams until its process ends.
    process[name].removeAllListeners('error')
    process[name].write = (/** @type {any} */ chunk, /** @type {any[]} */ ...more) => {
      said[name].push(Buffer.from(chunk))
      const done = more.find((one) => typeof one === 'function')
      if (done !== undefined) process.nextTick(done)
      return true
    }
  }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  await main([process.execPath, LAUNCHER, ...args])
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  for (const name of STREAMS) process[name].write = written[name]
  const text = (/** @type {'stdout' | 'stderr'} */ name) => Buffer.concat(said[name]).toString()
  process.send?.({ code, signal: null, stdout: text('stdout'), stderr: text('stderr') })
})
