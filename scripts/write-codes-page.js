// `npm run docs:codes`: writes docs/codes.md from the tables that `whatif explain` reads.
import { writeFile } from 'node:fs/promises'
import { codesPage } from '../dist/cli/explain/explain-code.js'

await writeFile(new URL('../docs/codes.md', import.meta.url), codesPage())
