// Types of large-manifest.js for tests in TypeScript; the description is there.
import type { Manifest } from '../src/records/manifest/manifest.ts'

export function largeManifest(size: {
  scenarios: number
  outcomes: number
  named?: (kind: 'column' | 'level' | 'value', i: number) => string
}): Manifest
