// Makes the types of a service from its OpenAPI document: node make-types.js ADDRESS FILE
// Files in forms are Blobs, as the generator's own documentation proposes for `format: binary`.

import { writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const [address, file] = process.argv.slice(2)
const blob = ts.factory.createTypeReferenceNode('Blob')
const types = await openapiTS(new URL(address), {
  transform: (schema) => (schema.format === 'binary' ? blob : undefined),
})
await writeFile(file, astToString(types))
