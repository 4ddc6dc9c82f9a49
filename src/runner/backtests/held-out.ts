import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import { declaredSeed } from '../../data/declare/declared-seed.ts'
import { uploadHash } from '../../study/hashing/request-key.ts'
import { type FileSource, inspectDataset } from '../datasets/inspect-dataset.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunEnvironment } from '../interface/run-options.ts'

type Conditions = EstimateRequest['scenario']

/** A model that has seen no row of a group. */
export interface HeldOutModel {
  readonly datasetId: string
  readonly schema: readonly AnySchemaColumn[]
}

/**
 * Trains on the rows of a seed file that are not of a group. Its Parquet file is made twice, as that of any declared file: for the key of
 * the upload, which a repetition finds again, and for sending.
 *
 * @throws RunRefusalError where the rows of the group cannot be told from the others.
 */
export async function trainWithout(
  source: FileSource,
  { name: column, source_name: sourceName }: AnySchemaColumn,
  level: string,
  env: RunEnvironment,
): Promise<HeldOutModel> {
  const { seed, declarations } = { ...source, ...(await source.asUsed?.(env)) }
  const leftOut = { column, sourceName: sourceName ?? null, level }
  // Rows are left out of a table, and a file without declarations becomes one by none.
  const declared = declarations ?? {}
  const { file, faults } = await declaredSeed(seed.path, declared, { signal: env.signal, leftOut })
  if (file === null) throw refusal(source.name, faults.join(' '))
  await file.remove()
  const { name, autoClean, displayName } = source
  const { dataset, schema } = await inspectDataset(
    {
      ...{ kind: 'file', name, autoClean, displayName, leftOut, epoch: 0, knownId: null, remarks: [] },
      seed: { path: seed.path, sha256: file.sha256, bytes: file.sizeBytes },
      declarations: declared,
      hash: uploadHash({ autoClean, displayName, declarations: declared }, file.sha256),
    },
    env,
  )
  // Cleaning may write values as one level that the file writes in several ways.
  if (schema.find((one) => one.name === column)?.levels?.includes(level))
    throw refusal(
      name,
      `the file writes "${level}" of "${column}" in several ways, so that its rows cannot be left out`,
    )
  return { datasetId: dataset.dataset_id, schema }
}

const refusal = (name: string, detail: string): RunRefusalError =>
  new RunRefusalError('does_not_fit_data', 'declarations', `--rows: ${name}: ${detail}`)

/**
 * The conditions that rows are like a group, as a model that has not seen it can be asked: without the column of the groups, and without
 * levels that it does not know and none shall have. A text: why it cannot be asked.
 */
export function heldOutConditions(
  { categorical = {}, means = {} }: Conditions,
  by: string,
  schema: readonly AnySchemaColumn[],
): Conditions | string {
  const columns = new Map(schema.map((column) => [column.name, column]))
  const shares: NonNullable<Conditions['categorical']> = {}
  for (const [name, wanted] of Object.entries(categorical)) {
    if (name === by) continue
    const known = columns.get(name)?.levels
    if (known === undefined) return `a model of the others has no levels of ${name}`
    const told = Object.entries(wanted).filter(([level, share]) => known.includes(level) || share > 0)
    const unknown = told.find(([level]) => !known.includes(level))
    if (unknown !== undefined) return `a model of the others does not know ${unknown[0]} of ${name}`
    shares[name] = Object.fromEntries(told)
  }
  const lost = Object.keys(means).find((name) => !columns.has(name) || columns.get(name)?.levels !== undefined)
  if (lost !== undefined) return `a model of the others has no numbers of ${lost}`
  return { categorical: shares, ...(Object.keys(means).length > 0 && { means }) }
}
