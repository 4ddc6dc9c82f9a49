// The service with an additional route: the record of the bare route, authenticated and after everything that the service does
// with every request. None of its own routes answers a record from memory.
import { subscribe } from 'node:diagnostics_channel'
import { BARE_RECORD } from './bare-record.js'
import './service-program.js'

subscribe('fastify.initialization', (/** @type {any} */ { fastify }) => {
  fastify.register(async (/** @type {import('fastify').FastifyInstance} */ app) => {
    app.get('/v1/bare-record', async () => BARE_RECORD)
  })
})
