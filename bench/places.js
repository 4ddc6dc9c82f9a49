// The places that the bench uses: the built package, and the data shared next to the repository.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @param {string} path Relative to this folder. */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

export const LAUNCHER = here('../bin/whatif.js')
export const COFFEE_EXAMPLE = here('../examples/coffee')

const SHARED = here('../../shared')

/**
 * Path of a shared file, or null when it is not on this machine.
 *
 * @param {string} path Relative to the shared folder.
 * @returns {string | null}
 */
export function sharedFile(path) {
  const whole = `${SHARED}/${path}`
  return existsSync(whole) ? whole : null
}

/**
 * Path of a program of the bench.
 *
 * @param {string} name
 */
export function benchFile(name) {
  return here(`./${name}`)
}
