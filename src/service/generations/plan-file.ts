/**
 * What a plan says about every row, in a file: for each part in turn the columns of its rows, so that a worker reads the bytes of its
 * part and no others. Numbers are those of this kind of machine, little-endian.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { type PlannedPart, partOfPlan, type RowPlan } from '../../engine/generate.ts'
import type { RowPart } from '../../engine/sampling/batches.ts'
import type { PlanLayout } from '../records/generation-parts.ts'

const CODE_BYTES = 2
const NUMBER_BYTES = 8

export function layoutOf({ packed }: Pick<RowPlan, 'packed'>): PlanLayout {
  return {
    codes: packed.kindCodes.length + packed.drawn.length,
    values: [...packed.values].map(([column, { isFixed }]) => ({ column, isFixed })),
  }
}

/** Bytes of a row; 0: there is nothing to say about rows, and no file. */
export function bytesPerRow({ codes, values }: PlanLayout): number {
  return CODE_BYTES * codes + (NUMBER_BYTES + 1) * values.length
}

/** Unpacks the rows of one part at a time. */
export async function writePlan(path: string, plan: RowPlan, parts: readonly RowPart[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const part of parts) {
      const { preset } = partOfPlan(plan, part)
      for (const codes of preset.codes) await append(file, codes)
      for (const { values, valid } of preset.values.values()) {
        await append(file, values)
        await append(file, valid)
      }
    }
  } finally {
    await file.close()
  }
}

async function append(file: FileHandle, { buffer, byteOffset, byteLength }: ArrayBufferView): Promise<void> {
  await file.writeFile(new Uint8Array(buffer, byteOffset, byteLength))
}

/** @param path A file with the bytes of one part; null if the layout has none. */
export async function readPlanOfPart(
  path: string | null,
  layout: PlanLayout,
  rows: number,
): Promise<PlannedPart['preset']> {
  const bytes = path === null ? Buffer.alloc(0) : await readFile(path)
  const expected = rows * bytesPerRow(layout)
  if (bytes.length !== expected) throw new RangeError(`a plan has ${bytes.length} bytes where ${expected} are expected`)
  let at = 0
  // A copy, because numbers begin where they are aligned.
  const next = (length: number): ArrayBuffer => {
    const part = new Uint8Array(bytes.subarray(at, at + length))
    at += length
    return part.buffer
  }
  const codes = Array.from({ length: layout.codes }, () => new Uint16Array(next(CODE_BYTES * rows)))
  const values = layout.values.map(({ column, isFixed }) => {
    const given = { values: new Float64Array(next(NUMBER_BYTES * rows)), valid: new Uint8Array(next(rows)), isFixed }
    return [column, given] as const
  })
  return { codes, values: new Map(values) }
}
