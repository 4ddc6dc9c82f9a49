// A service in a process of its own, for tests that kill it: `node serve-child.js <data folder> <operator token>`.
import { startService } from '../../../dist/service/start-service.js'

const [dataDir, operatorToken] = process.argv.slice(2)
const service = await startService({ dataDir, operatorToken, rateLimits: false, threads: 1 })
process.stdout.write(`${service.baseUrl}\n`)
