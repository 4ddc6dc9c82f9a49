// The service in a process of its own, started by the bench; ends on request.
import { startService } from '../dist/service/start-service.js'

process.once('message', async (/** @type {any} */ settings) => {
  const service = await startService({
    ...settings,
    host: '127.0.0.1',
    port: 0,
    masterKey: null,
    rateLimits: false,
  })
  process.once('message', async () => {
    await service.close()
    process.disconnect()
  })
  process.send?.({ baseUrl: service.baseUrl, authUrl: service.authUrl })
})
