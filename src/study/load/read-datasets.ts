import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { DatasetSource } from '../study.ts'
import { childMap, childName, childNode, type Located, type LocatedMap } from '../yaml/located-node.ts'
import { checkDeclarations } from './check-declarations.ts'
import { readDeclarations } from './read-declarations.ts'

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
    const fault = checkRelativePath(file)
    if (fault !== null) diagnostics.push(fault)
    const autoClean = childNode(value, 'auto_clean')
    const declarations = readDeclarations(value)
    diagnostics.push(...checkDeclarations(value))
    datasets.set(id, {
      kind: 'file',
      id,
      file: file.value,
      fileRange: file.range,
      sha256: childName(value, 'sha256')?.value.toLowerCase() ?? null,
      autoClean: autoClean?.kind === 'scalar' ? autoClean.value === true : true,
      displayName: childName(value, 'display_name')?.value ?? id,
      ...(declarations && { declarations }),
    })
  }
  return datasets
}

/**
 * Null for a path that is relative on every machine. Whether it stays inside the project depends on links, so the code
 * that opens the file checks that.
 */
export function checkRelativePath(path: Located<string>): Diagnostic | null {
  const { value, range } = path
  const reason = value.includes('\\')
    ? 'has a backslash'
    : /^[A-Za-z]:/.test(value) || value.startsWith('/')
      ? 'is absolute'
      : /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)
        ? 'is an address'
        : /\p{Control}/u.test(value)
          ? 'has a control character'
          : null
  if (reason === null) return null
  return diagnose('S1302', {
    summary: `path "${value}" ${reason}`,
    range,
    detail: 'write a path relative to the study file, with forward slashes',
  })
}
