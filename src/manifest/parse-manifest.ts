import { escapeText } from '../base/text/escape-text.ts'
import { cutText } from '../base/text/fit-text.ts'
import { validateManifest } from '../generated/manifest-shape-validator.ts'
import { manifestDigest } from '../study/hashing/fingerprint.ts'
import type { Manifest } from './manifest.ts'

/** Larger manifests are refused. Ten thousand scenarios with a hundred figures each are about 60 MB. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024

/** Fields that a newer version adds may be nested; nothing that this reads goes deeper than a third of it. */
const MAX_DEPTH = 32

/** Longest path in a manifest that a message repeats, in UTF-16 units. */
const SHOWN_PATH = 120

/** What is wrong with a manifest, and where: `scenarios.stress.rows.counted: must be integer,null`. */
export class ManifestFault extends Error {
  override readonly name = 'ManifestFault'
}

/** A manifest that was read, with the digest of its results. */
export interface ReadManifest {
  readonly manifest: Manifest
  /** `manifest_digest`: what a run prints and a publication cites. */
  readonly digest: string
}

/** A function made by Ajv; the generated module has no types. */
interface Validator {
  (value: unknown): boolean
  errors?: { readonly instancePath: string; readonly message?: string; readonly params: object }[] | null
}

/**
 * Reads a manifest. Its bytes may come from anywhere: what is not a manifest of this version
 * (`schemas/manifest.v1.json`) is a `ManifestFault`; fields that the schema does not know pass. The objects have no
 * prototype, so that a level called `constructor` is there only when the file says so.
 */
export function parseManifest(text: string): ReadManifest {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's message quotes the text.
    throw new ManifestFault('it is not JSON')
  }
  dropPrototypes(value)
  const version = (value as { manifest_version?: unknown } | null)?.manifest_version
  if (typeof version === 'number' && version > 1)
    throw new ManifestFault(`manifest_version: ${version} needs a newer runner; this one reads 1`)
  const validate = validateManifest as unknown as Validator
  if (!validate(value)) throw faultOf(validate.errors?.[0])
  const manifest = value as Manifest
  try {
    return { manifest, digest: manifestDigest(manifest) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ManifestFault(`it holds a value that no manifest has: ${escapeText(error.message)}`)
  }
}

/** Without recursion: the depth of the file must not become that of the stack. */
function dropPrototypes(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new ManifestFault(`it is nested deeper than ${MAX_DEPTH} levels`)
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      if (!Array.isArray(item)) Object.setPrototypeOf(item, null)
      for (const member of Object.values(item)) if (typeof member === 'object' && member !== null) next.push(member)
    }
    level = next
  }
}

function faultOf(error: NonNullable<Validator['errors']>[number] | undefined): ManifestFault {
  const path = (error?.instancePath ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  const shown = path.length > SHOWN_PATH ? `${cutText(path, SHOWN_PATH)}…` : path
  const allowed = (error?.params as { allowedValues?: readonly string[] } | undefined)?.allowedValues
  const what = `${error?.message ?? 'is not as the schema says'}${allowed ? ` (${allowed.join(', ')})` : ''}`
  return new ManifestFault(`${path === '' ? 'the file' : escapeText(shown)}: ${what}`)
}
