// Asks the same again and again over a number of connections, each with one request at a time, and counts the answers.
import { Pool } from 'undici'

const CONNECTIONS = 20
/** Before anything is counted: connections are made and code is compiled. */
const WARM_MS = 1_000
const COUNTED_MS = 3_000

process.on('message', async (/** @type {any} */ { url, headers, status }) => {
  if (url === undefined) return process.disconnect()
  const { origin, pathname, search } = new URL(url)
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 })
  /** @type {number[]} */
  let latencies = []
  let begun = performance.now()
  let end = begun + WARM_MS
  /** @type {string | null} */
  let failure = null
  const ask = async () => {
    while (performance.now() < end && failure === null) {
      const sent = performance.now()
      const reply = await pool.request({ path: `${pathname}${search}`, method: 'GET', headers })
      await reply.body.dump()
      if (reply.statusCode !== status) failure = `${pathname} was answered with ${reply.statusCode}`
      latencies.push(performance.now() - sent)
    }
  }
  const askAll = () => Promise.all(Array.from({ length: CONNECTIONS }, ask))
  await askAll()
  latencies = []
  begun = performance.now()
  end = begun + COUNTED_MS
  await askAll()
  const seconds = (performance.now() - begun) / 1000
  latencies.sort((a, b) => a - b)
  await pool.close()
  process.send?.({
    failure,
    perSecond: latencies.length / seconds,
    p99Seconds: (latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN) / 1000,
  })
})
