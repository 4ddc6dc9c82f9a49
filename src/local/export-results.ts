import type { ExportResult } from '../runner/interface/run-options.ts'

/**
 * Makes result files in the form that a study asks for, for `RunEnvironment.exportResult`. The writers of files are loaded
 * when it is first called.
 */
export const exportResults: ExportResult = async (request, signal) => {
  const { exportResult } = await import('../data/export/export-result.ts')
  return await exportResult(request, signal)
}
