import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { readSavLabels, type SavVariableLabels } from '../../formats/read-sav-labels.ts'
import { UnreadableFileError } from '../../formats/reading/unreadable-file-error.ts'
import type { SavColumn } from '../../formats/sav-output/plan-variables.ts'

type SeedLabels = ReadonlyMap<string, SavVariableLabels>

/**
 * The labels of a seed file by name of the column; none when it is no SPSS file, or there is none. A seed file that
 * cannot be read has been reported where it was sent.
 */
export async function seedLabels(path: string | null): Promise<SeedLabels> {
  if (path === null || !/\.z?sav$/i.test(path)) return new Map()
  try {
    return await readSavLabels(path)
  } catch (error) {
    if (error instanceof UnreadableFileError) return new Map()
    throw error
  }
}

/**
 * What is known about the columns of an artifact, by cleaned name: from the schema, and from the labels of the seed file.
 *
 * @param sourceOf cleaned name → name in the seed file.
 * @param wishedName cleaned name → name in the result.
 */
export function savColumns(
  schema: readonly AnySchemaColumn[],
  labels: SeedLabels,
  sourceOf: (name: string) => string,
  wishedName: (name: string) => string,
): ReadonlyMap<string, SavColumn> {
  return new Map(
    schema.map((column) => {
      const { name, levels = [], ordered } = column
      const seed = labels.get(sourceOf(name)) ?? null
      return [
        name,
        {
          name: wishedName(name),
          label: labelOf(column, seed),
          levels: ordered === undefined ? levels : [...ordered.levels, ...ordered.apart, ...levels],
          seedCodes: seed?.codes ?? null,
          isOrdered: ordered !== undefined,
          isCategorical: column.type === 'categorical' || column.levels !== undefined,
        },
      ] as const
    }),
  )
}

/** An option of a column with several answers is named after the label of the whole. */
function labelOf(
  { label, source_name, source_option }: AnySchemaColumn,
  seed: SavVariableLabels | null,
): string | null {
  const of = label ?? seed?.label ?? null
  if (source_option === undefined) return of
  const whole = of ?? source_name
  return whole === undefined ? source_option : `${whole}: ${source_option}`
}
