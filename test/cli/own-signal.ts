/**
 * Environment of a command that sends itself `signal` as soon as it has written what `pattern` matches, or so many milliseconds
 * later. A signal that comes from here would come when this process reads the output, and by then the command
 * may be done.
 */
export function signallingItself(pattern: RegExp, signal: NodeJS.Signals, afterMs = 0): NodeJS.ProcessEnv {
  const hook = `
    import { isMainThread } from 'node:worker_threads'
    const pattern = new RegExp(${JSON.stringify(pattern.source)}, ${JSON.stringify(pattern.flags)})
    const send = () => process.kill(process.pid, ${JSON.stringify(signal)})
    let isSent = !isMainThread
    for (const stream of isMainThread ? [process.stdout, process.stderr] : []) {
      const write = stream.write.bind(stream)
      let written = ''
      stream.write = (chunk, ...rest) => {
        const isTaken = write(chunk, ...rest)
        written += chunk
        if (!isSent && pattern.test(written)) {
          isSent = true
          ${afterMs === 0 ? 'send()' : `setTimeout(send, ${afterMs})`}
        }
        return isTaken
      }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
}
