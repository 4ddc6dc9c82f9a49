// `npm run bench:production`: the service as a team runs it, under attacks, load, faults and wrong clocks. The sections are
// TypeScript, because they start servers with the same helpers as the tests.
import { register } from 'node:module'

register('./typescript-hook.js', import.meta.url)
await import('./production/run.ts')
