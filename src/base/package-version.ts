import { readFileSync } from 'node:fs'

/** Version of this package, from its own package.json. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
