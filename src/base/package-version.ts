import { readFileSync } from 'node:fs'
import { packageFile } from './package-file.ts'

/** Version of this package, from its own package.json. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version
}
