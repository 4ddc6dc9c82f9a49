import { open } from 'node:fs/promises'
import { Field, makeData, RecordBatch, RecordBatchFileWriter, RecordBatchReader, Schema, Struct } from 'apache-arrow'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'

/**
 * Copies an Arrow IPC file under other names of its columns, batch by batch.
 *
 * @throws {UnreadableFileError} when the file is damaged; and the signal's reason.
 */
export async function renameInArrow(
  source: string,
  target: string,
  rename: (names: readonly string[]) => readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const input = await open(source, 'r')
  const output = await open(target, 'wx', 0o644)
  const writer = new RecordBatchFileWriter()
  try {
    const reader = await RecordBatchReader.from(input)
    await reader.open()
    const names = rename(reader.schema.fields.map(({ name }) => name))
    const fields = reader.schema.fields.map(
      ({ type, nullable, metadata }, i) => new Field(names[i]!, type, nullable, metadata),
    )
    const schema = new Schema(fields, reader.schema.metadata)
    writer.reset(undefined, schema)
    const sent = sendTo(writer, output)
    for await (const batch of reader) {
      signal?.throwIfAborted()
      const { length, nullCount, children } = batch.data
      writer.write(new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount, children })))
    }
    writer.finish()
    await sent
    await output.sync()
  } catch (error) {
    signal?.throwIfAborted()
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new UnreadableFileError('The arrow file is damaged or was cut short: it could not be read to its end.', {
      cause: error,
    })
  } finally {
    await output.close()
    // The reader closes the file when it reaches the end.
    await input.close().catch(() => undefined)
  }
}

async function sendTo(writer: RecordBatchFileWriter, output: { writeFile(bytes: Uint8Array): Promise<void> }) {
  for await (const bytes of writer) await output.writeFile(bytes)
}
