/** Work of any job beside that of its data: records, files, a thread that is cold. */
const TRAINING_MS = 500
const GENERATION_MS = 50

const SEED_BYTES_PER_MS = 2 ** 20 / 1_000
/** Of one processor of 2024. On all processors of a machine it is less, and turns count what it was. */
const CELLS_PER_MS = 4_000

/**
 * How long a training should keep a worker, in milliseconds, from the size of its seed file in bytes. The file may unpack to
 * far more.
 */
export const trainingWorkMs = (seedBytes: number): number => limited(TRAINING_MS + seedBytes / SEED_BYTES_PER_MS)

/** How long a generation should keep a worker, in milliseconds. Trees for a new combination of columns come in addition. */
export const generationWorkMs = (rows: number, columns: number): number =>
  limited(GENERATION_MS + (rows * columns) / CELLS_PER_MS)

/** A day at most: the database has 32 bits for it. */
const limited = (ms: number): number => Math.min(86_400_000, Math.ceil(ms))
