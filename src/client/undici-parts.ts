import { createRequire } from 'node:module'
import type * as Undici from 'undici'

const require = createRequire(import.meta.url)

/*
 * The two modules of undici that the client needs. The package as a whole also loads fetch, WebSocket, caches and mocks,
 * which takes longer than everything that a short run does; it has no export map, and its version is pinned.
 */
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof Undici.Agent
export const { HeadersTimeoutError, RequestAbortedError } = require('undici/lib/core/errors.js') as typeof Undici.errors
