import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { thisProcess } from '../../src/base/this-process.ts'
import { createServiceClient } from '../../src/client/create-service-client.ts'
import { stateBucket } from '../../src/local/state-bucket.ts'
import type { ObjectStorage } from '../../src/objects/object-storage.ts'
import { DEFAULT_PLAN_OPTIONS } from '../../src/runner/plan/plan-input.ts'
import { run } from '../../src/runner/run-study.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { deadlyFs } from './deadly-fs.ts'
import { measureCsv } from './measure-csv.ts'

/*
 * A run in a process of its own, for the test that kills it: `node run-child.js <project root> <service url> <secret>
 * <change of the disk at which it dies, 0 = never> [storage of its state, as JSON]`. Prints how many changes it made, ends with the run's exit code.
 */
const [root, url, secret, deadline, storage] = process.argv.slice(2) as [string, string, string, string, string?]
const state = storage === undefined ? null : stateBucket(JSON.parse(storage) as ObjectStorage)
const filename = 'demo.study.yaml'
const disk = deadlyFs(Number(deadline))
const { study, diagnostics } = loadStudy(await readFile(join(root, filename), 'utf8'), { filename })
if (study === null) throw new Error(diagnostics[0]?.summary)
const result = await run(
  {
    study,
    diagnostics,
    studyFile: join(root, filename),
    projectRoot: root,
    out: null,
    service: { label: 'embedded', kind: 'embedded' },
    options: {
      ...DEFAULT_PLAN_OPTIONS,
      concurrency: 2,
      deadlineMs: 60_000,
      onFailure: null,
      allowEmpty: false,
      allowOutside: false,
      allowHidden: false,
      lockTimeoutMs: state === null ? 0 : 30_000,
      ifLocked: 'fail',
      exitZeroOn: new Set(),
      datasetIds: new Map(),
      submit: true,
      locked: false,
      html: false,
      reads: [],
      download: null,
      savedPlan: null,
    },
    provenance: { tool: '0.0.0', node: process.versions.node, git: null, ci: null },
  },
  {
    fs: disk.fs,
    clock: systemClock,
    signal: new AbortController().signal,
    onEvent: () => {},
    // Waits between polls are cut short: what is tested is the order of things, not their speed.
    client: async () =>
      createServiceClient({
        baseUrl: url,
        authUrl: url,
        clientId: 'cli_1',
        clientSecret: secret,
        random: () => 0,
        sleep: () => systemClock.sleep(2),
      }),
    measure: measureCsv,
    random: Math.random,
    process: { ...thisProcess(), place: 'here' },
    ...(state !== null && { shared: async () => state }),
  },
)
await state?.close()
process.stdout.write(String(disk.changes()))
process.exitCode = result.exitCode
