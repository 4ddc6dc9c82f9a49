// A bare fastify route in a process of its own: the reference for requests per second.
import fastify from 'fastify'
import { BARE_RECORD } from './bare-record.js'

const app = fastify()
app.get('/job', async () => BARE_RECORD)
process.once('message', async () => {
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('message', async () => {
    await app.close()
    process.disconnect()
  })
  process.send?.({ baseUrl })
})
