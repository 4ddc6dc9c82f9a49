// A service in a process of its own, for tests that kill it:
// `node serve-child.js <data folder> <operator token> [settings as JSON] [timing as JSON]`.
import { startService } from '../../../dist/service/start-service.js'

const [dataDir, operatorToken, settings = '{}', timing = '{}'] = process.argv.slice(2)
const options = { dataDir, operatorToken, rateLimits: false, threads: 1, ...JSON.parse(settings) }
const service = await startService(options, JSON.parse(timing))
process.stdout.write(`${service.listenUrl}\n`)
