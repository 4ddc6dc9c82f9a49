// Entry of a work process for tests: reads a file as training does, and says what it got. Needs the compiled service.
import { readTable } from '../../dist/formats/read-table.js'
import { UnreadableFileError } from '../../dist/formats/reading/unreadable-file-error.js'
import { ProcessLimits } from '../../dist/service/jobs/processes/process-limits.js'
import { answerTasks, processPort } from '../../dist/service/jobs/processes/task-protocol.js'

const limits = new ProcessLimits(Number(process.argv[2]))

answerTasks(processPort(), async ({ path, tempDir, cpuMs }, { onProgress, signal }) => {
  onProgress({ stage: 'reading', progress: 0 })
  limits.limitTime({ cpuMs, wallMs: 10 * cpuMs })
  try {
    const table = await readTable(path, { tempDir, signal, threads: 1 })
    return {
      rows: table.rowCount + table.droppedRows.empty + table.droppedRows.repeatedHeader,
      columns: table.columns.map(({ name }) => name),
      notes: table.notes,
      peakMib: process.resourceUsage().maxRSS / 1024,
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    return { refused: error.detail, peakMib: process.resourceUsage().maxRSS / 1024 }
  } finally {
    limits.limitTime(null)
  }
})
