// Preloaded into a process (`NODE_OPTIONS=--import=…/collect-on-signal.js`): SIGUSR2 collects the garbage of its main thread, so
// that what is measured then is what it holds, and not what it has yet to let go.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', () => collect())
}
