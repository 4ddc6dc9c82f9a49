// Makes the page of a manifest in this process and prints how long it took, without the loading of modules.
import { manifestText } from '../dist/answers/manifest/manifest-writer.js'
import { parseManifest } from '../dist/answers/manifest/parse-manifest.js'
import { reportHtml } from '../dist/report/html/page/page.js'
import { largeManifest } from './large-manifest.js'

const text = manifestText(largeManifest(JSON.parse(process.argv[2] ?? '{}')))
const begun = performance.now()
const read = parseManifest(text)
const parsed = performance.now()
const page = reportHtml(read)
const made = performance.now()
process.stdout.write(
  JSON.stringify({
    manifestBytes: Buffer.byteLength(text),
    pageBytes: Buffer.byteLength(page),
    parseSeconds: (parsed - begun) / 1000,
    pageSeconds: (made - parsed) / 1000,
  }),
)
