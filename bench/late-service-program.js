// A service that answers every request after a fixed time, and finishes every generation at once. It keeps only
// counts, so that only the runner is measured.
import { createServer } from 'node:http'

const DATASET = 'ds_0000000000000000000000'
const JSON_TYPE = 'application/json'
const SCHEMA = [
  { name: 'region', levels: ['East', 'North', 'South', 'West'] },
  { name: 'intent', levels: ['No', 'Unsure', 'Yes'] },
  { name: 'age', min: 18, max: 80 },
]

process.once('message', async (/** @type {any} */ { delayMs, artifact: base64, rows }) => {
  const artifact = Buffer.from(base64, 'base64')
  const counts = { requests: 0, generations: 0, artifacts: 0, open: 0, mostOpen: 0 }

  /** @param {import('node:http').IncomingMessage} request */
  const answer = ({ method, url = '' }) => {
    if (url === '/oauth/token') return { access_token: 'bench', token_type: 'Bearer', expires_in: 86_400 }
    if (url.startsWith('/v1/artifacts/')) {
      counts.artifacts++
      return artifact
    }
    if (url.endsWith('/schema')) return { dataset_id: DATASET, schema: SCHEMA }
    if (method === 'POST' && url.endsWith('/generations')) {
      const generation_id = `gen_${String(++counts.generations).padStart(22, '0')}`
      return { generation_id, status: 'ready', artifact_url: `/v1/artifacts/${generation_id}`, rows_generated: rows }
    }
    return { dataset_id: DATASET, status: 'ready' }
  }

  const server = createServer((request, reply) => {
    counts.requests++
    counts.mostOpen = Math.max(counts.mostOpen, ++counts.open)
    request.resume().once('end', () =>
      setTimeout(() => {
        const body = answer(request)
        const isFile = Buffer.isBuffer(body)
        const bytes = isFile ? body : Buffer.from(JSON.stringify(body))
        reply.writeHead(200, {
          'content-type': isFile ? 'application/octet-stream' : JSON_TYPE,
          'content-length': bytes.length,
          'x-request-id': `req_${counts.requests}`,
        })
        counts.open--
        reply.end(bytes)
      }, delayMs),
    )
  })
  server.listen(0, '127.0.0.1', () => {
    const address = /** @type {import('node:net').AddressInfo} */ (server.address())
    process.send?.({ url: `http://127.0.0.1:${address.port}` })
  })
  process.on('message', () => {
    process.send?.({ ...counts })
    Object.assign(counts, { requests: 0, generations: 0, artifacts: 0, mostOpen: 0 })
  })
})
