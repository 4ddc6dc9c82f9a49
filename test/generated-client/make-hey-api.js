// Makes a client of a service from its OpenAPI document: node make-hey-api.js ADDRESS FOLDER

import { createClient } from '@hey-api/openapi-ts'

const [address, folder] = process.argv.slice(2)
await createClient({
  input: address,
  output: { path: folder, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
})
