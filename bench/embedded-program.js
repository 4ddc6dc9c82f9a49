// Starts the embedded service on a folder with data, and prints the time from the start of the process to the first reply.
import { openEmbeddedService } from '../dist/local/embedded-service.js'
import { peakRssBytes } from './peak-rss.js'

const { dataDir } = JSON.parse(process.argv[2] ?? '{}')

// The service is loaded by the first call, like in the command.
const loadedSeconds = performance.now() / 1000
const client = await openEmbeddedService({
  dataDir,
  lockTimeoutMs: 1_000,
  signal: new AbortController().signal,
  retentionHours: 24,
})
// Opening ends with a first reply, which shows that the service knows the credentials of the folder.
const firstReplySeconds = performance.now() / 1000
await client.close()
process.stdout.write(JSON.stringify({ loadedSeconds, firstReplySeconds, peakRssBytes: peakRssBytes() }))
