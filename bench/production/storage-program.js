// An S3-compatible server in a process of its own, so that it can be killed and started again on the same objects.
// Arguments: its folder, its port and the address to listen at (127.0.0.1). It ends with the process that started it.
import { register } from 'node:module'

register('../typescript-hook.js', import.meta.url)
const { S3Server } = await import('../../test/service/storage/s3-server.ts')

const [folder, port, address = '127.0.0.1'] = process.argv.slice(2)
const server = await S3Server.start('studies/', { folder: String(folder), port: Number(port), address })
// Records for tests; here they would grow with every request.
setInterval(() => {
  server.lines.length = 0
  server.authorizations.length = 0
}, 1_000)
process.on('disconnect', () => process.exit(0))
process.on('message', async () => {
  process.send?.({ objects: await server.objects(), uploads: await server.uploads() })
})
process.send?.({ storage: server.storage })
