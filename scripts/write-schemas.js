// `npm run schemas`: writes the JSON Schemas that are made of records.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { publishedSchemas } from '../dist/records/json-schemas.js'

for (const [name, schema] of Object.entries(publishedSchemas())) {
  await writeFile(fileURLToPath(new URL(`../schemas/${name}`, import.meta.url)), `${JSON.stringify(schema, null, 2)}\n`)
}
