import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareRun, runOptions } from '../../src/local/local-run.ts'
import { realEnvironment } from '../../src/local/run-environment.ts'
import type { Connection } from '../../src/local/service-connection.ts'
import { readStudyFile } from '../../src/local/study-file.ts'
import { inspectDataset, sourceOfStudy } from '../../src/runner/datasets/inspect-dataset.ts'
import { run } from '../../src/runner/run-study.ts'
import type { Study } from '../../src/study/study.ts'
import { DECLARED_STUDIES, type DeclaredStudy, studyText } from '../runner/declared-studies.ts'

const connection: Connection = { kind: 'embedded', retentionHours: 24 }

/** Runs and inspects a study with declarations with the embedded service, in a project that is removed afterwards. */
async function runDeclared(declared: DeclaredStudy) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'whatif-declared-study-')))
  try {
    const studyFile = join(root, 'demo.study.yaml')
    await mkdir(dirname(join(root, declared.file)), { recursive: true })
    await writeFile(studyFile, studyText(declared))
    await writeFile(join(root, declared.file), await declared.bytes())
    const file = await readStudyFile(studyFile)
    const { declarations } = declared
    const datasets: Study['datasets'] = new Map(
      [...file.study!.datasets].map(([id, one]) => [id, one.kind === 'file' ? { ...one, declarations } : one]),
    )
    const study = { ...file.study!, datasets }
    const valid = { ...file, study, projectRoot: root }
    const request = await prepareRun({ file: valid, connection, out: null, options: runOptions({}), ci: null })
    const signal = new AbortController().signal
    const environment = () =>
      realEnvironment({
        connection,
        projectRoot: root,
        lockTimeoutMs: 0,
        signal,
        onEvent: () => {},
        onService: () => {},
      })
    const result = await run(request, environment())
    const again = await run(request, environment())
    const project = { studyFile, projectRoot: root, service: request.service.label }
    const source = await sourceOfStudy(study, 'panel', project, environment())
    return { result, again, inspected: await inspectDataset(source, environment()) }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

describe('a study with declarations, with the embedded service', () => {
  it.each(DECLARED_STUDIES)('runs on %s', async (of, declared) => {
    const { result, again, inspected } = await runDeclared(declared)
    expect(result.message).toBeNull()
    expect(result.exitCode).toBe(0)
    const scenarios = Object.values(result.manifest.scenarios)
    expect(scenarios.map(({ status }) => status)).toEqual(scenarios.map(() => 'ready'))
    expect(again).toMatchObject({ exitCode: 0, digest: result.digest })
    const { schema, dataset, declared: remarks } = inspected
    const sources = [...new Set(schema.map(({ name, source_name: source }) => source ?? name))]
    const dropped = dataset.cleaning_summary!.dropped_columns.map(({ name }) => name)
    expect([...sources, ...dropped].sort()).toEqual([...declared.sent].sort())
    for (const { name, source_name: source = name, ordered } of schema) {
      const order = declared.declarations.levels?.[source]
      if (order !== undefined) expect([of, ordered?.from, ordered?.levels]).toEqual([of, 'declared', order])
    }
    const keys = new Set(remarks?.map(({ key }) => key))
    keys.delete('file')
    expect(keys).toEqual(new Set(Object.keys(declared.declarations)))
  })
})
