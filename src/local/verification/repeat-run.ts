import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wasSelected } from '../../answers/manifest/review-manifest.ts'
import { type Agreement, agreementOf } from '../../answers/verification/agreement.ts'
import { differs, holds, notChecked } from '../../answers/verification/checks.ts'
import { plural } from '../../base/text/amount-text.ts'
import { MAX_RETENTION_HOURS } from '../../contract/limits.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { RunRecord } from '../../records/run-record.ts'
import type { Check } from '../../records/verification.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'
import { run } from '../../runner/run-study.ts'
import { ENGINE_VERSION } from '../../service/datasets/model-identity.ts'
import type { Study } from '../../study/study.ts'
import { trialStudy } from '../../study/trial-study.ts'
import { runOptions, runRequest } from '../local-run.ts'
import { realEnvironment } from '../run-environment.ts'
import type { StudyFile } from '../study-file.ts'
import type { SourceOptions } from './check-sources.ts'
import type { RecordedStudy } from './recorded-study.ts'

interface Watched extends SourceOptions, Pick<RunEnvironment, 'onEvent'> {}

/**
 * Repeats a run with the embedded service, in a temporary folder that is removed afterwards, and compares rows, models and answers.
 * Project, results and state are only read.
 */
export async function repeatRun(
  { file }: RecordedStudy,
  { manifest, record }: { readonly manifest: Manifest; readonly record: RunRecord | null },
  watch: Watched,
): Promise<Check[]> {
  if (file === null) return [notChecked('again', '', 'the study is not there')]
  const { study } = file
  if (study === null) return [differs('again', '', 'the study has faults, so it cannot be run')]
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'whatif-again-')))
  try {
    const again = await runIn(folder, { ...file, study: repeatable(study, manifest) }, watch)
    watch.signal.throwIfAborted()
    if (Object.keys(again.manifest.scenarios).length === 0 || again.manifest.status === 'refused')
      return [differs('again', '', `the run is refused: ${again.message ?? again.reason}`)]
    return comparedRuns(manifest, again.manifest, record?.environment.engine ?? null)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same requests: with the seeds that were drawn, and no budget, because nothing is billed. */
function repeatable(written: Study, { scenarios, run: { trial } }: Manifest): Study {
  const study = {
    ...written,
    budget: { ...written.budget, rowsPerRun: null, rowsPerScenario: null, newDatasetsPerRun: null },
    scenarios: written.scenarios.map((scenario) => {
      const drawn = Object.hasOwn(scenarios, scenario.id) ? scenarios[scenario.id]?.request?.seed : undefined
      return scenario.seed === 'random' && drawn !== undefined ? { ...scenario, seed: drawn } : scenario
    }),
  }
  return trial === undefined ? study : trialStudy(study, trial)
}

async function runIn(
  folder: string,
  file: StudyFile & { readonly study: Study },
  { signal, onEvent, objectsOf }: Watched,
) {
  const connection = { kind: 'embedded', retentionHours: MAX_RETENTION_HOURS } as const
  const out = join(folder, 'results')
  await mkdir(out)
  const options = runOptions({ html: false, onFailure: 'continue', deadlineMs: null })
  const request = await runRequest({ file, connection, out, options, ci: null })
  const environment = realEnvironment({
    connection,
    projectRoot: folder,
    ...(objectsOf !== undefined && { objects: objectsOf(file.projectRoot) }),
    lockTimeoutMs: 0,
    signal,
    onEvent,
    onService: () => {},
  })
  return run(request, environment)
}

/** @param engine of the run; null: not known. */
function comparedRuns(before: Manifest, again: Manifest, engine: string | null): Check[] {
  const checks: Check[] = []
  for (const [name, { model_id: model }] of Object.entries(before.trace.datasets)) {
    const now = again.trace.datasets[name]?.model_id
    if (model === undefined || now === undefined) continue
    if (model === now) checks.push(holds('model', name, 'trained again, it is the same model'))
    else if (engine === ENGINE_VERSION) checks.push(differs('model', name, 'trained again, it is another model'))
    else checks.push(notChecked('model', name, `another model, ${engineWords(engine)}`))
  }
  for (const [id, { artifact }] of Object.entries(before.scenarios)) {
    if (artifact === null || !wasSelected(before, id)) continue
    const repeated = Object.hasOwn(again.scenarios, id) ? again.scenarios[id] : undefined
    const now = repeated?.artifact ?? null
    if (now === null) {
      const why = repeated?.error?.detail ?? (repeated === undefined ? 'the study does not have it' : repeated.status)
      checks.push(differs('again', id, `no rows: ${why}`))
    } else if ((artifact.received ?? artifact).sha256 === (now.received ?? now).sha256)
      checks.push(holds('again', id, 'the same rows, byte for byte'))
    else if (engine === ENGINE_VERSION) checks.push(differs('again', id, `other rows, by the same engine ${engine}`))
    else
      checks.push(
        byAnswers(
          id,
          agreementOf(before, again, (_, ids) => ids.includes(id)),
          `other rows, ${engineWords(engine)}`,
        ),
      )
  }
  for (const id of Object.keys(before.comparisons)) {
    const found = agreementOf(before, again, (comparison) => comparison === id)
    if (found.answers === 0) continue
    if (found.same === found.answers)
      checks.push(holds('again', id, `${plural(found.answers, 'answer')}, all the same`))
    else if (engine === ENGINE_VERSION)
      checks.push(
        differs('again', id, `${found.answers - found.same} of ${plural(found.answers, 'answer')} are others`),
      )
    else checks.push(byAnswers(id, found, 'other answers'))
  }
  return checks
}

function byAnswers(name: string, { answers, within, outside }: Agreement, what: string): Check {
  if (answers === 0) return notChecked('again', name, `${what}; no comparison has answers to hold against them`)
  return outside === null
    ? holds('again', name, `${what}; ${plural(answers, 'answer')} within their intervals`)
    : differs('again', name, `${what}; ${answers - within} of ${plural(answers, 'answer')} outside: ${outside}`)
}

const engineWords = (engine: string | null): string =>
  engine === null
    ? `by engine ${ENGINE_VERSION}; that of the run is not known`
    : `by engine ${ENGINE_VERSION} and not ${engine}`
