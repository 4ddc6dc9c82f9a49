import { open } from 'node:fs/promises'
import { decoderOf, readDictionary } from './sav/read-sav.ts'
import { savVariables } from './sav/sav-variables.ts'
import { appendedValue } from './sav/value-labels.ts'

/** What an SPSS file says about a variable. */
export interface SavVariableLabels {
  readonly label: string | null
  /** Code of each level, as `readSav` names levels; null where the variable is a text or has no labels. */
  readonly codes: ReadonlyMap<string, number> | null
}

/**
 * The labels of an SPSS file by name of the variable, without its rows.
 *
 * @throws {UnreadableFileError}
 */
export async function readSavLabels(path: string): Promise<ReadonlyMap<string, SavVariableLabels>> {
  const file = await open(path, 'r')
  try {
    const dictionary = await readDictionary(file, (await file.stat()).size)
    const { variables } = savVariables(dictionary, await decoderOf(dictionary))
    return new Map(
      variables.map((variable) => {
        const labels = variable.kind === 'number' ? variable.labels : null
        return [variable.name, { label: variable.label ?? null, codes: labels && codesOf(labels) }] as const
      }),
    )
  } finally {
    await file.close()
  }
}

/** A label that several codes share belongs to none of them, unless it has its code appended. */
function codesOf(labels: ReadonlyMap<number, string>): ReadonlyMap<string, number> {
  const codes = new Map<string, number>()
  const shared = new Set<string>()
  for (const [code, label] of labels) {
    if (codes.has(label)) shared.add(label)
    codes.set(label, code)
    codes.set(label + appendedValue(code), code)
  }
  for (const label of shared) codes.delete(label)
  return codes
}
