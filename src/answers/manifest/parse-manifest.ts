import { escapeText } from '../../base/text/escape-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { validateManifest } from '../../generated/manifest-shape-validator.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { manifestDigest } from '../../study/hashing/fingerprint.ts'
import { findBadHistogram } from '../counts/histogram.ts'
import { dropPrototypes, MAX_DEPTH } from './drop-prototypes.ts'
import { isTornManifest, tornText } from './torn-manifest.ts'

/** Larger manifests are refused. Ten thousand scenarios with a hundred figures each are about 60 MB. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024

/** Longest path in a manifest that a message repeats, in UTF-16 units. */
const SHOWN_PATH = 120

/**
 * Code of the `WhatifError` that describes the fault of a manifest and its place: `scenarios.stress.rows.counted: must
 * be integer,null`.
 */
export const NOT_A_MANIFEST = 'not_a_manifest'

/** Code of the `WhatifError` of a manifest of ours that is not whole any more. */
export const TORN_MANIFEST = 'torn_manifest'

/** A manifest that was read, with the digest of its results. */
export interface ReadManifest {
  readonly manifest: Manifest
  /** `manifest_digest`: the value that a run prints and a publication cites. */
  readonly digest: string
}

/** A function made by Ajv; the generated module has no types. */
interface Validator {
  (value: unknown): boolean
  errors?: { readonly instancePath: string; readonly message?: string; readonly params: object }[] | null
}

/**
 * Reads a manifest. Its bytes may come from anywhere: a file that is not a manifest of this version
 * (`schemas/manifest.v1.json`) is refused with `NOT_A_MANIFEST`, what is left of one with `TORN_MANIFEST`; unknown fields are ignored. The objects have no
 * prototype, so that a level called `constructor` exists only if the file holds it.
 */
export function parseManifest(text: string): ReadManifest {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's message quotes the text.
    if (isTornManifest(text)) throw new WhatifError(TORN_MANIFEST, tornText(text))
    throw notAManifest('it is not JSON')
  }
  if (!dropPrototypes(value)) throw notAManifest(`it is nested deeper than ${MAX_DEPTH} levels`)
  const version = (value as { manifest_version?: unknown } | null)?.manifest_version
  if (typeof version === 'number' && version > 1)
    throw notAManifest(`manifest_version: ${version} needs a newer runner; this one reads 1`)
  const validate = validateManifest as unknown as Validator
  if (!validate(value)) throw faultOf(validate.errors?.[0])
  const manifest = value as Manifest
  const histogram = findBadHistogram(manifest)
  if (histogram !== null)
    throw notAManifest(`${shownPath(histogram)}: must have ascending edges, one more than shares, of at most 1 in all`)
  try {
    return { manifest, digest: manifestDigest(manifest) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw notAManifest(`it holds an invalid value: ${escapeText(error.message)}`)
  }
}

function faultOf(error: NonNullable<Validator['errors']>[number] | undefined): WhatifError {
  const path = (error?.instancePath ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  const allowed = (error?.params as { allowedValues?: readonly string[] } | undefined)?.allowedValues
  const what = `${error?.message ?? 'does not match the schema'}${allowed ? ` (${allowed.join(', ')})` : ''}`
  return notAManifest(`${path === '' ? 'the file' : shownPath(path)}: ${what}`)
}

const shownPath = (path: string): string =>
  escapeText(path.length > SHOWN_PATH ? `${cutText(path, SHOWN_PATH)}…` : path)

function notAManifest(message: string): WhatifError {
  return new WhatifError(NOT_A_MANIFEST, message)
}
