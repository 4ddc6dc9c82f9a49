import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { DatasetSource, SeedObject } from '../study.ts'
import { childMap, childName, childNode, type Located, type LocatedMap } from '../yaml/located-node.ts'
import { checkDeclarations } from './check-declarations.ts'
import { readDeclarations } from './read-declarations.ts'
import { isObjectAddress, readObjectAddress, withoutDigest } from './seed-object.ts'

/** The entries under `datasets`. Pushes faults of their paths and the warning about committed ids. */
export function readDatasets(root: LocatedMap, diagnostics: Diagnostic[]): ReadonlyMap<string, DatasetSource> {
  const datasets = new Map<string, DatasetSource>()
  for (const { key: id, value } of childMap(root, 'datasets')?.entries.values() ?? []) {
    const datasetId = childName(value, 'dataset_id')
    if (datasetId !== undefined) {
      diagnostics.push(
        diagnose('W1301', {
          summary: `dataset "${id}" names a trained dataset, which lives 7 days at most`,
          range: datasetId.range,
          detail: `prefer: whatif run --dataset ${id}=${datasetId.value}`,
        }),
      )
      datasets.set(id, { kind: 'existing', id, datasetId: datasetId.value, datasetIdRange: datasetId.range })
      continue
    }
    const file = childName(value, 'file')!
    const sha256 = childName(value, 'sha256')?.value.toLowerCase() ?? null
    const object = objectOf(file, diagnostics)
    if (object !== null && sha256 === null) diagnostics.push(withoutDigest(id, file))
    const autoClean = childNode(value, 'auto_clean')
    const declarations = readDeclarations(value)
    diagnostics.push(...checkDeclarations(value))
    datasets.set(id, {
      kind: 'file',
      id,
      file: file.value,
      fileRange: file.range,
      ...(object && { object }),
      sha256,
      autoClean: autoClean?.kind === 'scalar' ? autoClean.value === true : true,
      displayName: childName(value, 'display_name')?.value ?? id,
      ...(declarations && { declarations }),
    })
  }
  return datasets
}

/** The object that `file` names; null for a path. Pushes the fault of either. */
function objectOf(file: Located<string>, diagnostics: Diagnostic[]): SeedObject | null {
  const object = isObjectAddress(file) ? readObjectAddress(file) : null
  const fault = object === null ? checkRelativePath(file, ADDRESS_ALLOWED) : 'code' in object ? object : null
  if (fault !== null) diagnostics.push(fault)
  return object === null || 'code' in object ? null : object
}

const ADDRESS_ALLOWED = 'write a path relative to the study file, or s3://BUCKET/KEY for an object in a bucket'

/**
 * Null for a path that is relative on every machine. Whether it stays inside the project depends on links, so the code
 * that opens the file checks that.
 *
 * @param insteadOfAddress what to write instead of an address
 */
export function checkRelativePath(path: Located<string>, insteadOfAddress = RELATIVE): Diagnostic | null {
  const { value, range } = path
  const reason = value.includes('\\')
    ? 'has a backslash'
    : /^[A-Za-z]:/.test(value) || value.startsWith('/')
      ? 'is absolute'
      : /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)
        ? AN_ADDRESS
        : /\p{Control}/u.test(value)
          ? 'has a control character'
          : null
  if (reason === null) return null
  return diagnose('S1302', {
    summary: `path "${value}" ${reason}`,
    range,
    detail: reason === AN_ADDRESS ? insteadOfAddress : RELATIVE,
  })
}

const RELATIVE = 'write a path relative to the study file, with forward slashes'
const AN_ADDRESS = 'is an address'
