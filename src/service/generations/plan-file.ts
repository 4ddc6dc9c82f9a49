/**
 * What a plan says about rows, in a file: the counts of cells, which every part reads. Where a mean is stated, it has for each part in
 * turn the columns of its rows instead, so that a worker reads the bytes of its part and no others. Numbers are those of this kind of
 * machine, little-endian.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { type PlannedPart, partOfPlan, type RowPlan } from '../../engine/generate.ts'
import type { RowPart } from '../../engine/sampling/batches.ts'
import type { FilledCells } from '../../engine/scenario/filled-cells.ts'
import type { Preset } from '../../engine/scenario/preset-rows.ts'
import type { CountsLayout, PlanLayout, RowsLayout } from '../records/generation-parts.ts'

const COUNT_BYTES = 4
const CODE_BYTES = 2
const NUMBER_BYTES = 8

/** @param plan Of at least one row. */
export function layoutOf({ settled }: Pick<RowPlan, 'settled'>): PlanLayout {
  if ('counts' in settled) {
    return { cells: settled.counts.length, codes: settled.codes.length / settled.counts.length }
  }
  return {
    codes: settled.kindCodes.length + settled.drawn.length,
    values: [...settled.values].map(([column, { isFixed }]) => ({ column, isFixed })),
  }
}

/** Where in the file lies what a part reads; for all rows of a generation, the whole file. */
export function bytesOfPart(layout: PlanLayout, { firstRow, endRow }: RowPart): { start: number; end: number } {
  if ('cells' in layout) return { start: 0, end: COUNT_BYTES * layout.cells * (layout.codes + 2) }
  const ofRow = CODE_BYTES * layout.codes + (NUMBER_BYTES + 1) * layout.values.length
  return { start: firstRow * ofRow, end: endRow * ofRow }
}

/** Where rows are planned, those of one part at a time are unpacked. */
export async function writePlan(path: string, plan: RowPlan, parts: readonly RowPart[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if ('counts' in plan.settled) {
      const { index, codes, counts } = plan.settled
      for (const numbers of [index, codes, counts]) await append(file, numbers)
      return
    }
    for (const part of parts) {
      const { settled } = partOfPlan(plan, part)
      if ('counts' in settled) continue
      for (const codes of settled.codes) await append(file, codes)
      for (const { values, valid } of settled.values.values()) {
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

/** @param path A file with the bytes of one part. */
export async function readPlanOfPart(path: string, layout: PlanLayout, part: RowPart): Promise<PlannedPart['settled']> {
  const bytes = await readFile(path)
  const { start, end } = bytesOfPart(layout, part)
  if (bytes.length !== end - start) {
    throw new RangeError(`a plan has ${bytes.length} bytes where ${end - start} are expected`)
  }
  let at = 0
  // A copy, because numbers begin where they are aligned.
  const next = (length: number): ArrayBuffer => {
    const some = new Uint8Array(bytes.subarray(at, at + length))
    at += length
    return some.buffer
  }
  return 'cells' in layout ? countsIn(layout, next) : rowsIn(layout, part.endRow - part.firstRow, next)
}

function countsIn({ cells, codes }: CountsLayout, next: (length: number) => ArrayBuffer): FilledCells {
  const numbers = (count: number) => new Int32Array(next(COUNT_BYTES * count))
  return { index: numbers(cells), codes: numbers(cells * codes), counts: numbers(cells) }
}

function rowsIn(layout: RowsLayout, rows: number, next: (length: number) => ArrayBuffer): Preset {
  const codes = Array.from({ length: layout.codes }, () => new Uint16Array(next(CODE_BYTES * rows)))
  const values = layout.values.map(({ column, isFixed }) => {
    const given = { values: new Float64Array(next(NUMBER_BYTES * rows)), valid: new Uint8Array(next(rows)), isFixed }
    return [column, given] as const
  })
  return { codes, values: new Map(values) }
}
