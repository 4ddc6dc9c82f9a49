// A bare fastify route in a process of its own: what requests per second are compared with.
import fastify from 'fastify'

const app = fastify()
const record = { job_id: 'job_0000000000000000000000', status: 'completed', dataset_id: 'ds_0000000000000000000000' }
app.get('/job', async () => record)
process.once('message', async () => {
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('message', async () => {
    await app.close()
    process.disconnect()
  })
  process.send?.({ baseUrl })
})
