// A process that starts an endless work process, says its id and waits to be killed.
import { pathToFileURL } from 'node:url'
import { WorkProcesses } from '../../../../dist/service/jobs/processes/process-pool.js'

const processes = new WorkProcesses(pathToFileURL(process.argv[2]), { memoryBytes: 2 ** 29 })
const control = { signal: new AbortController().signal, onProgress: () => undefined }
const { pid } = await processes.run({ deed: 'answer' }, control)
void processes.run(
  { deed: 'be endless', stage: 'reading' },
  {
    ...control,
    onProgress: () => void process.stdout.write(`${pid}\n`),
  },
)
