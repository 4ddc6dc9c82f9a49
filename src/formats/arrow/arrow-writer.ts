import {
  type Data,
  type DataType,
  DateDay,
  DateUnit,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'
import type { Block, BlockColumn, OutputColumn } from '../../base/output-table.ts'
import { AllowedFile } from '../writing/allowed-file.ts'
import {
  checkBlock,
  copyCodes,
  copyInt64,
  copyNumbers,
  fitsInt32,
  levelNumbers,
  presentBits,
} from '../writing/block-values.ts'
import type { TableWriter, TableWriterOptions } from '../writing/table-writer.ts'

interface Plan {
  readonly column: OutputColumn
  readonly type: DataType
  readonly numbers: Float64Array | null
  /** Shared by all batches, so that it is written once. */
  readonly dictionary: Vector<Utf8> | null
}

/** Returns the bytes of each message at once, instead of queueing views of memory that the caller may reuse. */
class CollectingWriter extends RecordBatchFileWriter {
  readonly #taken: Uint8Array[] = []

  protected override _write(chunk: ArrayBufferView): this {
    if (this._started && chunk.byteLength > 0) {
      this.#taken.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      this._position += chunk.byteLength
    }
    return this
  }

  take(): Uint8Array {
    return Buffer.concat(this.#taken.splice(0))
  }
}

/** Writes an Arrow IPC file, one record batch per block. */
export class ArrowWriter implements TableWriter {
  readonly #file: AllowedFile
  readonly #plans: readonly Plan[]
  readonly #schema: Schema
  readonly #writer = new CollectingWriter()

  private constructor(file: AllowedFile, plans: readonly Plan[]) {
    this.#file = file
    this.#plans = plans
    this.#schema = new Schema(plans.map(({ column, type }) => new Field(column.name, type, true)))
    this.#writer.reset(undefined, this.#schema)
  }

  static async open(
    path: string,
    columns: readonly OutputColumn[],
    { allowance }: Pick<TableWriterOptions, 'allowance'> = {},
  ): Promise<ArrowWriter> {
    const plans = columns.map(plan)
    return new ArrowWriter(await AllowedFile.open(path, allowance), plans)
  }

  async write(block: Block): Promise<void> {
    this.#file.requireOpen()
    checkBlock(
      block,
      this.#plans.map(({ column }) => column),
    )
    if (block.rowCount === 0) return
    const children = block.columns.map((source, i) => columnData(this.#plans[i]!, source, block.rowCount))
    const data = makeData({ type: new Struct(this.#schema.fields), length: block.rowCount, nullCount: 0, children })
    this.#writer.write(new RecordBatch(this.#schema, data))
    await this.#file.append(this.#writer.take())
  }

  async close(): Promise<void> {
    await this.#file.close(() => {
      this.#writer.finish()
      return this.#writer.take()
    })
  }

  async abort(): Promise<void> {
    await this.#file.remove()
  }
}

function plan(column: OutputColumn, i: number): Plan {
  switch (column.kind) {
    case 'categorical': {
      if (column.integer) {
        const numbers = levelNumbers(column.levels)
        return { column, type: fitsInt32(numbers) ? new Int32() : new Int64(), numbers, dictionary: null }
      }
      const dictionary = vectorFromArray([...column.levels], new Utf8())
      // A fixed id: the library's counter would make the bytes depend on earlier writes.
      return { column, type: new Dictionary(new Utf8(), new Int32(), i), numbers: null, dictionary }
    }
    case 'numeric':
      return { column, type: column.integer ? new Int64() : new Float64(), numbers: null, dictionary: null }
    case 'date':
      return { column, type: new DateDay(), numbers: null, dictionary: null }
    case 'date-time':
      return { column, type: new TimestampMillisecond(), numbers: null, dictionary: null }
  }
}

function columnData(plan: Plan, source: BlockColumn, length: number): Data {
  const { type, dictionary } = plan
  const nullBitmap = new Uint8Array((length + 7) >> 3)
  const nullCount = presentBits(nullBitmap, source, 0, length)
  const given = nullCount === 0 ? { length, nullCount } : { length, nullCount, nullBitmap }
  if ('codes' in source && dictionary !== null) {
    const codes = new Int32Array(length)
    copyCodes(codes, source.codes, 0, length)
    return makeData({ type: type as Dictionary<Utf8, Int32>, data: codes, dictionary, ...given })
  }
  const numbers = new Float64Array(length)
  copyNumbers(numbers, source, plan.column, plan.numbers, 0, length)
  if (type instanceof Float64) {
    if (nullCount > 0) for (let row = 0; row < length; row++) if (Number.isNaN(numbers[row]!)) numbers[row] = 0
    return makeData({ type, data: numbers, ...given })
  }
  if (type instanceof Int32) return makeData({ type, data: Int32Array.from(numbers), ...given })
  if (type instanceof DateDay && type.unit === DateUnit.DAY) {
    return makeData({ type, data: Int32Array.from(numbers, (ms) => Math.floor(ms / 86_400_000)), ...given })
  }
  const long = new BigInt64Array(length)
  copyInt64(long, numbers, length)
  return type instanceof Int64
    ? makeData({ type, data: long, ...given })
    : makeData({ type: type as TimestampMillisecond, data: long, ...given })
}
