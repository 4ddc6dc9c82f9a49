import type { ArtifactSummary } from '../formats/artifact-summary.ts'
import type { Measurement, NumberSummary } from '../plan/study-state.ts'
import type { MeasureArtifact, MeasureRequest } from './measure-artifact.ts'

/** Counts an artifact by reading all of it. The reader is loaded on first use: runs that measure nothing do without. */
export const measure: MeasureArtifact = async (request, signal) => {
  const { summarizeArtifact } = await import('../formats/read-artifact.ts')
  const { path, format, tempDir, content } = request
  const options = { tempDir, ...(content && { content }) }
  const count = (asked: { shares: readonly string[]; numbers: readonly string[] }): Promise<ArtifactSummary> => {
    signal?.throwIfAborted()
    const ranges = new Map([...request.ranges].filter(([column]) => asked.numbers.includes(column)))
    return summarizeArtifact(path, format, { shares: asked.shares, ranges, numeric: asked.numbers }, options)
  }
  try {
    return measurementOf(await count(request), request)
  } catch (error) {
    // A column that is not there is said as such, and everything else is counted all the same.
    const { columns } = await count({ shares: [], numbers: [] })
    const isThere = (column: string): boolean => columns.includes(column)
    const present = { shares: request.shares.filter(isThere), numbers: request.numbers.filter(isThere) }
    if (present.shares.length + present.numbers.length === request.shares.length + request.numbers.length) throw error
    return measurementOf(await count(present), request)
  }
}

function measurementOf(summary: ArtifactSummary, request: MeasureRequest): Measurement {
  const asked = new Set([...request.shares, ...request.numbers])
  return {
    rows: summary.rows,
    shares: [...summary.shares].map(([column, { counts, missing }]) => [column, { levels: [...counts], missing }]),
    numbers: [...summary.numeric.keys()].map((column) => [column, numberSummary(summary, column)]),
    outside: [...summary.ranges].map(([column, { outside, missing }]) => [column, outside + missing]),
    absent: [...asked].filter((column) => !summary.columns.includes(column)),
  }
}

function numberSummary(summary: ArtifactSummary, column: string): NumberSummary {
  const numeric = summary.numeric.get(column)
  const range = summary.ranges.get(column)
  return {
    n: numeric?.count ?? 0,
    missing: numeric?.missing ?? range?.missing ?? 0,
    min: finite(range?.min),
    max: finite(range?.max),
    mean: finite(numeric?.mean),
    sd: finite(numeric?.sd),
    quantiles: numeric?.quantiles?.every(Number.isFinite) ? numeric.quantiles : null,
  }
}

/** A sum of numbers near the largest of all can overflow; JSON has no form for what comes of it. */
const finite = (value: number | null | undefined): number | null =>
  value != null && Number.isFinite(value) ? value : null
