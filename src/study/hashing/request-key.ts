import { canonicalJson } from '../../base/canonical-json.ts'
import { sha256Hex } from '../../base/sha256.ts'
import type { Declarations } from '../declarations.ts'
import type { FileDataset } from '../study.ts'
import { sentDeclarations } from './declarations-value.ts'

/** `Idempotency-Key`s: equal key ⇒ equal bytes, different bytes ⇒ different key (study language, section 6.1). */

export type RequestKind = 'ds' | 'gen'

/** The last part of a request key: work under one scope is bought once. `epoch` counts deliberate repeats of one request hash, from 0. */
export type Scope =
  | { readonly kind: 'epoch'; readonly epoch: number }
  | { readonly kind: 'label'; readonly label: string; readonly epoch: number }

/** Labels of `--scope`. */
export const SCOPE_LABEL_PATTERN = /^[A-Za-z0-9_-]{1,48}$/

const HASH_PATTERN = /^[0-9a-f]{32}$/

/** First 32 hexadecimal digits of the hash of an upload as sent. `fileSha256` is the hash of the seed file's bytes. */
export function datasetKeyHash(upload: {
  readonly fileSha256: string
  readonly autoClean: boolean
  readonly displayName: string
  /** Absent: not sent. */
  readonly weightColumn?: string | undefined
  /** JSON as sent; absent: not sent. */
  readonly design?: string | undefined
}): string {
  return keyHash(
    canonicalJson({
      v: 1,
      op: 'createDataset',
      file_sha256: upload.fileSha256,
      fields: {
        auto_clean: upload.autoClean ? 'true' : 'false',
        display_name: upload.displayName,
        weight_column: upload.weightColumn,
        design: upload.design,
      },
    }),
  )
}

/** `datasetKeyHash` of the upload of a seed file. `sha256` is of the bytes that are sent. */
export function uploadHash(
  {
    autoClean,
    displayName,
    declarations,
  }: Pick<FileDataset, 'autoClean' | 'displayName'> & {
    readonly declarations?: Declarations | null | undefined
  },
  sha256: string,
): string {
  return datasetKeyHash({ fileSha256: sha256, autoClean, displayName, ...sentDeclarations(declarations) })
}

/** First 32 hexadecimal digits of the hash of a generation as sent. `body` is a `canonicalBody`. */
export function generationKeyHash(generation: { readonly datasetId: string; readonly body: string }): string {
  // The body is canonical already; `body` sorts before `dataset_id`, `op` and `v`.
  const rest = canonicalJson({ v: 1, op: 'createGeneration', dataset_id: generation.datasetId })
  return keyHash(`{"body":${generation.body},${rest.slice(1)}`)
}

/**
 * The `Idempotency-Key` of a request, `wi1.<kind>.<32 hex>.<scope>`. `hash` is of `generationKeyHash` or of
 * `datasetKeyHash`. Throws `TypeError` for a malformed hash or scope.
 */
export function requestKey(kind: RequestKind, hash: string, scope: Scope): string {
  if (!HASH_PATTERN.test(hash)) throw new TypeError('a request hash is 32 lower-case hexadecimal digits')
  return `wi1.${kind}.${hash}.${scopeText(scope)}`
}

/** `e<N>` without a label; `x<label>`, followed by `.e<N>` from the first repeat on, with one. */
export function scopeText(scope: Scope): string {
  if (!Number.isSafeInteger(scope.epoch) || scope.epoch < 0) throw new TypeError('an epoch is an integer from 0')
  if (scope.kind === 'epoch') return `e${scope.epoch}`
  if (!SCOPE_LABEL_PATTERN.test(scope.label)) {
    throw new TypeError('a scope label is 1 to 48 letters, digits, dashes and underscores')
  }
  return scope.epoch === 0 ? `x${scope.label}` : `x${scope.label}.e${scope.epoch}`
}

function keyHash(text: string): string {
  return sha256Hex(text).slice(0, 32)
}

/** The scope part of a request key. Each `--scope` label counts epochs separately, and so does no label. */
export function scopeAt(label: string | null, epoch: number): Scope {
  return label === null ? { kind: 'epoch', epoch } : { kind: 'label', label, epoch }
}
