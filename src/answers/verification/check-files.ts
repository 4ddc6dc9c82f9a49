import type { OutputFormat } from '../../base/result-formats.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { FileDigest, RecordedFile, RunRecord } from '../../records/run-record.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import type { Check } from '../../records/verification.ts'
import { measure } from '../counts/measure.ts'
import type { ReadManifest } from '../manifest/parse-manifest.ts'
import { evaluateGates } from '../manifest/review-manifest.ts'
import { differs, holds, notChecked } from './checks.ts'
import { brief, fileWithBytes, findNamedFile } from './named-file.ts'
import { recountedColumns, wrongFigure } from './recount.ts'
import { recountComparison } from './recount-comparisons.ts'

/** A manifest that was read, and where. */
export interface VerifiedManifest extends ReadManifest {
  /** Of the manifest and the files that it names; absolute. */
  readonly folder: string
  /** Of the file of the manifest. */
  readonly file: FileDigest
}

/** Whether manifest and record are of one run and say the same. */
export function checkAgainstRecord({ manifest, digest, file }: VerifiedManifest, record: RunRecord): Check[] {
  const about = record.generated.manifest
  if (record.run.id !== manifest.run.id)
    return [
      differs(
        'record',
        '',
        `it is of the run ${record.run.id}, and the manifest of the run ${manifest.run.id}: a run that ended without a record, or files of two runs`,
      ),
    ]
  const isSame = file.sha256 === about.sha256 && file.bytes === about.bytes
  const faults = isSame ? [] : [differs('manifest', 'manifest.json', manifestFault(digest, file, about))]
  const models = Object.entries(record.used.datasets).flatMap(([name, dataset]) => modelFaults(manifest, name, dataset))
  const files = filesOf(manifest)
  const recorded = recordedFiles(record)
  const scenarios = [...new Set([...files.keys(), ...recorded.keys()])]
  const odd = scenarios.filter((id) => JSON.stringify(files.get(id)) !== JSON.stringify(recorded.get(id)))
  const unrecorded = Object.keys(manifest.datasets).filter((name) => !Object.hasOwn(record.used.datasets, name))
  return [
    ...faults,
    ...(isSame ? [holds('manifest', 'manifest.json', 'the bytes that the record has')] : []),
    ...models,
    ...odd.map((id) => differs('record', id, unlike([...(recorded.get(id) ?? []), ...(files.get(id) ?? [])]))),
    ...unrecorded.map((name) => differs('record', name, 'the manifest has this dataset, and the record does not')),
  ]
}

const unlike = (files: readonly RecordedFile[]): string =>
  `record and manifest do not say the same of the rows of this scenario (${[...new Set(files.map(({ path }) => path))].join(', ')})`

function manifestFault(digest: string, file: FileDigest, about: RunRecord['generated']['manifest']): string {
  const bytes = `sha256 ${brief(file.sha256)}, and the record has ${brief(about.sha256)}`
  return digest === about.digest
    ? `other bytes (${bytes}); its results are those of the record`
    : `other results than the record has (${bytes})`
}

function modelFaults(manifest: Manifest, name: string, recorded: RunRecord['used']['datasets'][string]): Check[] {
  const dataset = Object.hasOwn(manifest.datasets, name) ? manifest.datasets[name] : undefined
  const model = manifest.trace.datasets[name]?.model_id ?? null
  const of = (what: string, a: string | null | undefined, b: string | null | undefined) =>
    (a ?? null) === (b ?? null) ? [] : [differs('model', name, `record and manifest name different ${what}`)]
  return [
    ...of('models', recorded.model_id, model),
    ...of('fingerprints of its data', recorded.fingerprint, dataset?.fingerprint),
    ...(recorded.file === null ? [] : of('seed files', recorded.file.sha256, dataset?.sha256)),
  ]
}

/** The models behind the scenarios: rows of one dataset come from one model, unless the manifest says so. */
export function checkModels({ scenarios, trace }: Manifest): Check[] {
  return Object.entries(trace.datasets).flatMap(([name, { dataset_id: id, model_id: model }]) => {
    if (model === undefined) return []
    const others = Object.keys(scenarios).filter((scenario) => {
      const traced = trace.scenarios[scenario]
      return traced?.dataset_id === id && traced.model_id !== undefined && traced.model_id !== model
    })
    return others.length === 0
      ? [holds('model', name, `one model is behind its rows, ${brief(model)}`)]
      : [differs('model', name, `the rows of ${others.join(', ')} come from another model than the dataset has`)]
  })
}

/** By scenario: its result, and what the service sent where that is another file. */
type NamedFiles = Map<string, readonly RecordedFile[]>

const fileOf = ({ path, bytes, sha256 }: RecordedFile): RecordedFile => ({ path, bytes, sha256 })

function filesOf({ scenarios }: Manifest): NamedFiles {
  const files: NamedFiles = new Map()
  for (const [id, { artifact }] of Object.entries(scenarios)) {
    if (artifact === null) continue
    const { received } = artifact
    files.set(id, [fileOf(artifact), ...(received === undefined ? [] : [fileOf(received)])])
  }
  return files
}

function recordedFiles({ generated }: RunRecord): NamedFiles {
  return new Map(
    Object.entries(generated.scenarios).map(([id, { result, received }]) => [
      id,
      [fileOf(result), ...(received === null ? [] : [fileOf(received)])],
    ]),
  )
}

/** The page for people, which a record alone knows. */
export async function checkReport(folder: string, { generated: { report } }: RunRecord): Promise<Check[]> {
  if (report === null) return []
  const found = await findNamedFile(folder, report.path, report)
  if (found.kind === 'same') return [holds('report', report.path, 'the page that the run wrote')]
  if (found.kind === 'missing') return [notChecked('report', report.path, 'it is not there')]
  return [differs('report', report.path, found.detail)]
}

/** Every file of rows, and the figures of the manifest that are counted in it. */
export async function checkRows({ manifest, folder }: VerifiedManifest, tempDir: string): Promise<Check[]> {
  const checks: Check[] = []
  const counted = new Map<string, Measurement>()
  for (const [id, scenario] of Object.entries(manifest.scenarios)) {
    const { artifact } = scenario
    if (artifact === null) continue
    const { received } = artifact
    const result = await checkResult(folder, artifact)
    checks.push(result.check)
    const source = received === undefined ? result : await checkResult(folder, received)
    if (received !== undefined) checks.push(source.check)
    if (source.path === null) {
      checks.push(notChecked('figures', id, 'its rows as they were sent are not there'))
      continue
    }
    const format = (received ?? artifact).format as OutputFormat
    const columns = recountedColumns(manifest, id)
    const measured = await measure({ path: source.path, format, tempDir, ...columns }).catch(() => null)
    if (measured === null) {
      checks.push(differs('figures', id, `${(received ?? artifact).path} cannot be read as ${format}`))
      continue
    }
    counted.set(id, measured)
    const wrong = wrongFigure(scenario, measured)
    checks.push(wrong === null ? holds('figures', id, 'counted again') : differs('figures', id, wrong))
  }
  return [...checks, ...Object.keys(manifest.comparisons).map((id) => checkComparison(manifest, id, counted))]
}

async function checkResult(
  folder: string,
  file: FileDigest & { readonly path: string },
): Promise<{ readonly check: Check; readonly path: string | null }> {
  const found = await findNamedFile(folder, file.path, file)
  if (found.kind === 'same') return { check: holds('result', file.path, 'the bytes of the run'), path: found.path }
  if (found.kind !== 'missing') return { check: differs('result', file.path, found.detail), path: null }
  const other = await fileWithBytes(folder, file)
  const detail = other === null ? 'it is not there' : `it is not there; ${other} has its bytes: renamed?`
  return { check: differs('result', file.path, detail), path: null }
}

function checkComparison(manifest: Manifest, id: string, counted: ReadonlyMap<string, Measurement>): Check {
  const found = recountComparison(manifest, id, counted)
  if (found.kind === 'differs') return differs('comparison', id, found.detail)
  if (found.kind === 'unknown')
    return notChecked('comparison', id, `the rows of ${found.scenario} could not be counted again`)
  return holds('comparison', id, `${found.figures} differences in the rows counted again`)
}

/** Every gate, evaluated again from the figures. */
export function checkGates(manifest: Manifest): Check[] {
  const { gates } = evaluateGates(manifest)
  const nameOf = (one: (typeof gates)[number]) => `${one.gate.id} of ${one.id}`
  const wrong = gates.filter((one) => one.unchecked === null && one.gate.passed !== one.recordedPassed)
  const unknown = gates.filter((one) => one.unchecked !== null)
  const good = gates.length - wrong.length - unknown.length
  return [
    ...wrong.map((one) =>
      differs(
        'gates',
        nameOf(one),
        `recorded as ${said(one.recordedPassed)}, and its figures say ${said(one.gate.passed)}`,
      ),
    ),
    ...unknown.map((one) => notChecked('gates', nameOf(one), one.unchecked ?? '')),
    ...(good === 0 ? [] : [holds('gates', '', `${good} of ${gates.length} come to the recorded verdicts again`)]),
  ]
}

const said = (passed: boolean): string => (passed ? 'passed' : 'not passed')
