import type { DatasetInputs } from '../../records/state/generations.ts'
import type { Condition } from '../../study/conditions/condition.ts'
import type { SentConditions } from '../../study/conditions/condition-kind.ts'
import { sentTexts } from '../../study/conditions/kinds.ts'
import type { Change } from './plan.ts'

/**
 * The differences between the body a scenario was last generated with and its current body, field by field, in the
 * study's words (`rows`, not `row_count`), and the differences in the data. Bodies are canonical JSON. `conditions`: those
 * of the study now, whose form the shown ones take: dates, where they are written as dates.
 */
export function describeChanges(
  before: { readonly body: string; readonly dataset: string; readonly inputs: DatasetInputs },
  after: { readonly body: string; readonly dataset: string; readonly inputs: DatasetInputs },
  conditions: readonly Condition[] = [],
): Change[] {
  return [...dataChanges(before, after), ...bodyChanges(before.body, after.body, conditions)]
}

function dataChanges(
  before: { readonly dataset: string; readonly inputs: DatasetInputs },
  after: { readonly dataset: string; readonly inputs: DatasetInputs },
): Change[] {
  const a = before.inputs
  const b = after.inputs
  const name = `dataset ${after.dataset}`
  if (a.kind === 'file' && b.kind === 'file') {
    const changes: Change[] = []
    const seed = seedChange(a, b)
    if (seed !== null) changes.push({ field: `${name}: seed file`, before: short(seed[0]), after: short(seed[1]) })
    if (a.autoClean !== b.autoClean) {
      changes.push({ field: `${name}: auto_clean`, before: String(a.autoClean), after: String(b.autoClean) })
    }
    if (a.declarations !== b.declarations) {
      const text = (digest: string | undefined) => (digest === undefined ? 'none' : short(digest))
      changes.push({ field: `${name}: declarations`, before: text(a.declarations), after: text(b.declarations) })
    }
    return changes
  }
  if (a.kind === 'existing' && b.kind === 'existing') {
    if (a.datasetId !== b.datasetId) return [{ field: name, before: a.datasetId, after: b.datasetId }]
    if (a.schemaSha256 !== b.schemaSha256) {
      return [{ field: `${name}: schema`, before: short(a.schemaSha256), after: short(b.schemaSha256) }]
    }
    return []
  }
  return [
    { field: name, before: a.kind === 'file' ? 'file' : a.datasetId, after: b.kind === 'file' ? 'file' : b.datasetId },
  ]
}

type FileInputs = Extract<DatasetInputs, { kind: 'file' }>

/** The digests of two seed files; null where they are one. */
function seedChange(a: FileInputs, b: FileInputs): readonly [string, string] | null {
  const [old, now] = [a, b].map((one) => (one.declarations === undefined ? one.fileSha256 : one.seedSha256))
  if (old !== undefined && now !== undefined && old !== now) return [old, now]
  // Other declarations make another file of the same seed file, so what is sent says nothing about it.
  return a.fileSha256 !== b.fileSha256 && a.declarations === b.declarations ? [a.fileSha256, b.fileSha256] : null
}

function bodyChanges(before: string, after: string, conditions: readonly Condition[]): Change[] {
  const old = leaves(before, conditions)
  const now = leaves(after, conditions)
  const fields = [...new Set([...old.keys(), ...now.keys()])]
  return fields
    .filter((field) => old.get(field) !== now.get(field))
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
}

/** Leaf path in the study's words → value as text, in the sequence seed, rows, format, conditions. */
function leaves(body: string, now: readonly Condition[]): Map<string, string> {
  const parsed = JSON.parse(body) as {
    seed?: unknown
    row_count?: unknown
    output_format?: unknown
    conditions?: SentConditions
  }
  const out = new Map<string, string>()
  const put = (field: string, value: unknown): void => {
    if (value !== undefined) out.set(field, typeof value === 'string' ? value : JSON.stringify(value))
  }
  put('seed', parsed.seed)
  put('rows', parsed.row_count)
  put('format', parsed.output_format)
  for (const [field, text] of sentTexts(parsed.conditions ?? {}, now)) out.set(field, text)
  return out
}

const short = (sha256: string): string => sha256.slice(0, 8)
