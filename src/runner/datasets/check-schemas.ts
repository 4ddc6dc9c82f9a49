import { escapeJson } from '../../base/text/escape-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { DatasetFacts, UploadRecord } from '../../records/state/datasets.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import { type Diagnostic, hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { type CleanedSchema, listNames } from '../../study/live-schema/cleaned-schema.ts'
import { originalNames } from '../../study/live-schema/original-names.ts'
import { checkDataset, scenariosAdrift } from '../../study/lock/check-drift.ts'
import { lockedSchema } from '../../study/lock/lock.ts'
import type { Study } from '../../study/study.ts'
import type { HashedSeedFile } from '../files/seed-files.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { cleanedSchema, knownFacts } from '../session/dataset-records.ts'
import { announce } from '../session/end-scenario.ts'
import { generates, type PlannedRun, type RunSoFar } from '../session/plan-run.ts'

/**
 * Checks the conditions of all scenarios, selected or not, against the cleaned schemas of the datasets that the run is
 * about to generate from. Refuses the run before the first generation if one does not fit.
 */
export function checkConditions(run: PlannedRun): void {
  const names = new Set(
    run.plan.scenarios.filter((s) => generates(s) && !run.progress.ends.has(s.id)).map((s) => s.dataset),
  )
  const found = [...names].flatMap((name) => findings(run, name))
  if (found.length > 0) run.emit({ type: 'diagnostics', diagnostics: found })
  if (!hasErrors(found)) {
    for (const name of names) refuseAdrift(run, name)
    return
  }
  const errors = found.filter((d) => d.severity === 'error').length
  throw new RunRefusalError(
    'does_not_fit_data',
    'conditions',
    `${errors} ${errors === 1 ? 'condition does' : 'conditions do'} not fit the cleaned data; nothing was generated`,
  )
}

/**
 * Refuses the scenarios that drift affects under `policy.drift: warn`: nothing is sent for them, and the others run.
 */
function refuseAdrift(run: PlannedRun, name: string): void {
  const facts = knownFacts(run, name)
  if (facts === null || run.lockFile.lock === null) return
  const ids = { requestId: null, jobId: null, generationId: null, datasetId: null }
  for (const [id, why] of scenariosAdrift(run.study, name, cleanedSchema(facts, ''))) {
    const planned = run.planned.get(id)
    // An up-to-date scenario sends no request, however the data have changed.
    if (!planned?.selected || planned.action.kind === 'reuse') continue
    const detail = `${why} since ${run.lockFile.name}; nothing was sent`
    const fault = { code: 'drift', detail, message: detail, ...ids }
    announce(run, id, { kind: 'failed', status: 'refused', fault, cause: 'does_not_fit_data', key: null })
  }
}

/** Findings about the study's conditions, for the manifest: the same in every run with the same schemas. */
export function schemaFindings(run: RunSoFar): Diagnostic[] {
  const used = new Set(run.study.scenarios.map((s) => s.dataset))
  return [...run.study.datasets.keys()].filter((name) => used.has(name)).flatMap((name) => findings(run, name))
}

function findings(run: RunSoFar, name: string): readonly Diagnostic[] {
  const facts = knownFacts(run, name)
  if (facts === null) return []
  const id = `${name} ${facts.schemaSha256} ${run.lockFile !== undefined}`
  const found = run.known.findings.get(id) ?? findingsAgainst(run.study, name, facts, run)
  run.known.findings.set(id, found)
  return found
}

/** Checks one dataset's conditions against its known schema, and the schema against the lock. */
export function findingsAgainst(
  study: Study,
  name: string,
  facts: SeenFacts,
  { lockFile: file, seedFiles }: Partial<Pick<RunSoFar, 'lockFile' | 'seedFiles'>>,
): readonly Diagnostic[] {
  const label = `${name}, as cleaned by the service (${facts.schemaSha256?.slice(0, 8) ?? 'unknown'})`
  const entry = file?.lock?.datasets.get(name)
  const lock =
    file?.lock == null || entry === undefined
      ? null
      : { schema: lockedSchema(file.lock, name, entry, file.name), fileName: file.name }
  return [
    ...checkDataset(study, name, { ...cleanedSchema(facts, label), ...sheetOf(facts, seedFiles?.get(name)) }, lock),
    ...typesAsUsed(study, name, facts),
    ...keptNames(study, name, facts),
  ]
}

/** The sheet of a workbook. What is sent of a file with declarations has no sheets, so the service cannot say. */
function sheetOf({ cleaning }: SeenFacts, seed: HashedSeedFile | undefined): Pick<CleanedSchema, 'sheet'> {
  return { sheet: cleaning?.sheet ?? (seed?.sheet && { ...seed.sheet, othersOmitted: 0 }) }
}

/** Facts of a dataset, with the types that the study's use asked for if it was uploaded. */
type SeenFacts = DatasetFacts & Pick<UploadRecord, 'types'>

/** Says which columns of answer codes were read as the study uses them, and how to say so in the study. */
function typesAsUsed(study: Study, name: string, { types = {} }: SeenFacts): Diagnostic[] {
  const source = study.datasets.get(name)
  const columns = Object.keys(types)
  if (source?.kind !== 'file' || columns.length === 0) return []
  const summary = `dataset "${name}" was trained with ${listNames(columns)} as the study uses ${columns.length === 1 ? 'it' : 'them'}`
  const lines = columns.slice(0, MOST_NAMED).map((column) => `${keyText(column)}: ${types[column]}`)
  const detail = `declare it in the dataset: \`types: { ${lines.join(', ')} }\``
  return [diagnose('N2112', { summary, range: source.fileRange, detail })]
}

/** Says which columns of the results keep their cleaned names although the study asks for those of the file. */
function keptNames(study: Study, name: string, facts: DatasetFacts): Diagnostic[] {
  const range = study.originalNamesRange
  if (range === undefined) return []
  const { split, clashing, isUnknown } = originalNames(facts.schema ?? [], facts.cleaning?.renamed ?? [])
  const texts = [
    ...[...split].map(([source, columns]) => `${listNames([source])} became ${listNames(columns)}`),
    ...(clashing.length === 0 ? [] : [`another column has the name of ${listNames(clashing)} in the file`]),
    ...(isUnknown ? ['the service does not say how the file names its columns'] : []),
  ]
  if (texts.length === 0) return []
  const summary = `${isUnknown ? 'the' : 'some'} columns of dataset "${name}" keep their cleaned names`
  return [diagnose('N2111', { summary, range, detail: texts.slice(0, MOST_NAMED).join('\n') })]
}

/** A name as the key of a map in a study. */
const keyText = (name: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(name) ? name : escapeJson(JSON.stringify(cutText(name, LONGEST_KEY)))

/** Characters of a name that a note repeats. */
const LONGEST_KEY = 60

/** Columns of the file that a note names. */
const MOST_NAMED = 20
