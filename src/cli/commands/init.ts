import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Command, Option } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import { wrapped } from '../../base/text/fit-text.ts'
import type { KnownColumns } from '../../data/declare/propose-declarations.ts'
import { projectRootOf, repositoryRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'
import {
  type InspectedDataset,
  type InspectedSource,
  inspectDataset,
  sourceOfFile,
} from '../../runner/datasets/inspect-dataset.ts'
import { cleanedSchema, datasetFacts } from '../../runner/session/dataset-records.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { checkConditions } from '../../study/live-schema/check-conditions.ts'
import type { CleanedSchema } from '../../study/live-schema/cleaned-schema.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import { studySchema } from '../../study/shape/study-schema.ts'
import { type StarterData, type StarterOptions, starterStudy } from '../../study/writing/starter-study.ts'
import { codeTypes, usedColumns } from '../../study/writing/starter-types.ts'
import {
  refuseOtherThanSchema,
  SCHEMA_COPY,
  schemaInProject,
  schemaReference,
  schemaText,
  writeSchemaFile,
} from '../files/editor-schema.ts'
import { keepLineEnds } from '../files/git-attributes.ts'
import { type IgnoredFolder, ignoreFromGit, refuseIfThere, shownPath, writeNewFile } from '../files/new-files.ts'
import { addReadingOptions, declaredByFlags, type ReadingFlags } from '../options/reading-options.ts'
import {
  addDeadlineOption,
  addOutputOptions,
  addServiceOptions,
  type DeadlineFlag,
  type StudyFlags,
} from '../options/study-options.ts'
import { flagAdvice } from '../output/flag-advice.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { type CiFiles, type CiSystem, ciFilesFor, namedStudies, studiesOf } from '../steps/ci-workflow.ts'
import { slugOfFile } from '../steps/file-slug.ts'
import { objectWithoutStudy } from '../steps/named-data.ts'
import { inspectOne } from '../steps/without-generating.ts'
import { toAddJson, toAddText, writeCi } from '../steps/write-ci.ts'

export interface InitFlags
  extends Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'>,
    DeadlineFlag,
    ReadingFlags {
  readonly ci?: CiSystem
}

/** The places of the files to write. All paths are absolute. */
interface InitPlace {
  readonly studyFile: string
  readonly projectRoot: string
  readonly name: string
  /** For the study's first line; `isThere` is false where it is to be written. */
  readonly schema: { readonly path: string; readonly isThere: boolean }
  /** The command with which the next steps begin. */
  readonly whatif: string
  readonly ci: CiFiles | null
}

/** Declares `whatif init`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addServiceOptions(addDeadlineOption(addReadingOptions(command))))
    .description(
      'Write a study to start from. With a seed file, the service trains a model of it, and the study uses the columns and ' +
        'levels that are left after cleaning. Nothing is generated or billed, and no existing file is replaced.',
    )
    .argument(
      '[seed file]',
      'CSV, Parquet, Excel, SPSS or JSON; without one, the study uses made-up names. With --ci, study files: the workflow alone is written',
    )
    .argument('[more...]', 'with --ci: more study files')
    .addOption(
      new Option(
        '--ci <system>',
        'also write the workflow for a CI system; alone for the studies that are named, or that the repository has',
      ).choices(['github', 'gitlab']),
    )
    .action(async (seed, more, flags) => {
      process.exitCode = await initOrCi(seed, more, flags, env)
    })
}

const isStudyName = (name: string): boolean => /\.ya?ml$/i.test(name)

/** With `--ci`, studies that are named or there get a workflow, and nothing else is written. */
async function initOrCi(
  seed: string | undefined,
  more: readonly string[],
  flags: InitFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const names = [...(seed === undefined ? [] : [seed]), ...more]
  if (flags.ci !== undefined && names.every(isStudyName)) {
    const studies = names.length > 0 ? await namedStudies(names) : await studiesOf(process.cwd())
    if (studies.length > 0)
      return writeCi(await ciFilesFor(flags.ci, studies), studies, flags, describeTerminal(flags, env))
  }
  if (more.length > 0)
    throw new SetupError(2, 'more than one seed file is named', 'Write one study for each: whatif init data.csv.')
  return init(seed, flags, env)
}

/**
 * `whatif init`: a study to start from. A seed file is uploaded and trained, and the study's conditions use its real cleaned
 * columns and levels. No file is replaced, which is checked before anything is sent.
 */
export async function init(seed: string | undefined, flags: InitFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const declared = declaredByFlags(flags)
  if (declared !== null && seed === undefined)
    throw new SetupError(
      2,
      '--sheet, --encoding and --header-rows need a seed file',
      'Name the file: whatif init data.csv.',
    )
  const name = seed === undefined ? 'first-study' : slugOfFile(seed)
  const studyFile = resolve(`${name}.study.yaml`)
  const projectRoot = projectRootOf(studyFile)
  const ci = flags.ci === undefined ? null : await ciFilesFor(flags.ci, [studyFile])
  const schema = schemaFor(studyFile, projectRoot)
  // npx sets npm_command. A user of npx has no `whatif` in the path.
  const whatif = env.npm_command === 'exec' ? 'npx whatif' : 'whatif'
  const place: InitPlace = { studyFile, projectRoot, name, schema, whatif, ci }
  await refuseStudy(studyFile, flags)
  await refuseIfThere(ci === null ? [] : ci.files.map(({ path }) => path))
  if (!schema.isThere) await refuseOtherThanSchema(schema.path, 'Move it away.')
  if (seed === undefined) return await write(place, null, flags, terminal)
  const seedFile = await insideProject(seed, projectRoot)
  return await inspectOne(
    { command: 'init', projectRoot, flags, terminal, env, inWords: flagAdvice },
    (_service, environment) => sourceOfFile(seedFile, environment, declared),
    async (found, source, environment) => {
      const first = dataOf(found, source, place, seedFile)
      const { proposeForFile } = await import('../../data/declare/propose-declarations.ts')
      const used = usedColumns(first.data.columns)
      const types = codeTypes(found.schema.filter(({ name }) => used.has(name)))
      const others = codeTypes(found.schema.filter(({ name }) => !used.has(name)))
      const hasTypes = Object.keys(types).length > 0
      const reading = { ...declared, ...(hasTypes && { types }) }
      const declarations = await proposeForFile(seedFile, knownColumns(found), reading)
      // With a declaration, another file is uploaded: the study's own dataset is to be there when the study runs.
      const typed = hasTypes ? await sourceOfFile(seedFile, environment, reading) : null
      const trained = typed === null ? first : dataOf(await inspectDataset(typed, environment), typed, place, seedFile)
      const data = { ...trained.data, reading, otherCodes: others, declarations }
      return await write(place, { ...trained, data }, flags, terminal)
    },
  )
}

function schemaFor(studyFile: string, projectRoot: string): InitPlace['schema'] {
  const path = schemaInProject(studyFile)
  return path === null ? { path: join(projectRoot, SCHEMA_COPY), isThere: false } : { path, isThere: true }
}

/** A study that is there can have its workflow all the same. */
async function refuseStudy(studyFile: string, { ci }: InitFlags): Promise<void> {
  try {
    await refuseIfThere([studyFile])
  } catch (error) {
    if (ci === undefined || !(error instanceof SetupError)) throw error
    const command = `whatif init --ci ${ci} ${shownPath(studyFile)}`
    throw new SetupError(error.exitCode, error.message, `The workflow alone: ${command}`)
  }
}

/** Every run of the study would refuse a seed file elsewhere. */
async function insideProject(seed: string, projectRoot: string): Promise<string> {
  if (/\.ya?ml$/i.test(seed))
    throw new SetupError(
      2,
      `seed file ${escapeText(seed)}: it is a study file`,
      'Name the data: CSV, Parquet, Excel, SPSS or JSON.',
    )
  if (/^s3:/i.test(seed)) throw objectWithoutStudy(seed)
  let path: string
  try {
    path = await fs.realpath(resolve(seed))
    if ((await fs.stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw new SetupError(2, `seed file ${escapeText(seed)}: ${fileFaultText(error)}`)
  }
  const way = relative(projectRoot, path)
  if (way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new SetupError(
      2,
      `seed file ${escapeText(seed)}: it lies outside the project, and a study may not read it there`,
      'Copy it into the project, or run whatif init in its own project.',
    )
  return path
}

interface Trained {
  readonly data: StarterData
  readonly schema: CleanedSchema
  readonly datasetId: string
}

function dataOf(found: InspectedDataset, source: InspectedSource, place: InitPlace, seedFile: string): Trained {
  const facts = datasetFacts(found.dataset, found.schema)
  const schema = cleanedSchema(facts, found.dataset.dataset_id)
  const displayName = source.kind === 'file' ? source.displayName : place.name
  const data: StarterData = {
    file: relative(dirname(place.studyFile), seedFile).split(sep).join('/'),
    // The name of the upload: with another name, a run would train the file again.
    displayName: displayName === place.name ? null : displayName,
    columns: schema.columns,
    rows: facts.cleaning?.cleanRows ?? null,
  }
  return { data, schema, datasetId: found.dataset.dataset_id }
}

/** What the service found about columns of the file: a split column has no order of its own. */
function knownColumns({ dataset, schema }: InspectedDataset): KnownColumns {
  const dropped = dataset.cleaning_summary?.dropped_columns ?? []
  const training = dataset.training_summary ?? {}
  const orders = schema.flatMap(({ name, ordered, source_name: source = name, source_option: option }) =>
    ordered === undefined || option !== undefined ? [] : [[source, ordered] as const],
  )
  return {
    identifiers: dropped.filter(({ reason }) => reason === 'identifier').map(({ name }) => name),
    orders: new Map(orders),
    relations: {
      texts: [
        ...(training.relations ?? []).flatMap(({ relation, share }) => (share === 1 ? [relation] : [])),
        ...(training.derived_columns ?? []).flatMap(({ column, formula, share }) =>
          share === 1 ? [`${column} = ${formula}`] : [],
        ),
      ],
      headers: new Map(schema.map(({ name, source_name: source = name }) => [name, source])),
    },
  }
}

async function write(place: InitPlace, trained: Trained | null, flags: InitFlags, terminal: Terminal): Promise<number> {
  const { studyFile, projectRoot, name, schema, ci } = place
  const options: StarterOptions = {
    name,
    dataset: trained === null ? 'panel' : name,
    schemaPath: schemaReference(dirname(studyFile), schema.path),
    data: trained?.data ?? null,
  }
  if (!schema.isThere) await writeSchemaFile(projectRoot, schema.path, schemaText(studySchema()))
  await writeNewFile(studyFile, soundStudy(options, trained?.schema ?? null))
  const written = [studyFile, ...(schema.isThere ? [] : [schema.path])]
  if (await ignoreFromGit(projectRoot, ignoredFolders(place))) written.push(resolve(projectRoot, '.gitignore'))
  for (const { path, text } of ci?.files ?? []) {
    await writeNewFile(path, text)
    written.push(path)
  }
  const repository = repositoryRootOf(studyFile)
  const lineEnds = await keepLineEnds(
    repository,
    trained === null ? null : resolve(dirname(studyFile), trained.data.file),
  )
  if (lineEnds.written !== null) written.push(lineEnds.written)
  const attributes = { path: join(repository, '.gitattributes'), lines: lineEnds.toAdd }
  const toAdd = [...(ci?.toAdd ? [ci.toAdd] : []), ...(lineEnds.toAdd.length > 0 ? [attributes] : [])]
  const shown = written.map(shownPath)
  if (flags.json) {
    const data = {
      study: shown[0],
      written: shown,
      dataset_id: trained?.datasetId ?? null,
      ...(toAdd.length > 0 && { to_add: toAdd.map(toAddJson) }),
    }
    terminal.stdout.write(jsonDocument({ command: 'init', data }))
    return 0
  }
  for (const path of shown) terminal.stderr.write(`${path}: written\n`)
  for (const one of toAdd) terminal.stderr.write(toAddText(one))
  terminal.stderr.write(weightAdvice(trained?.data ?? null, shown[0] as string, terminal.width))
  terminal.stderr.write(nextSteps(place.whatif, shown[0] as string, trained !== null))
  return 0
}

/** A study that does not use the weights of its survey answers for the people who were asked, and not for the population. */
function weightAdvice(data: StarterData | null, study: string, width: number): string {
  const proposed = data?.declarations?.find(({ yaml }) => yaml.startsWith('weight: '))
  if (proposed === undefined) return ''
  const text = `${proposed.yaml.slice('weight: '.length)} looks like survey weights, and the study does not use it. If it is, remove the # in front of "${proposed.yaml}" in ${study}`
  return wrapped('note: ', text, width)
}

/** State, results, and packages of npm beside them: none of these should be committed with the study. */
function ignoredFolders({ studyFile, projectRoot }: InitPlace): IgnoredFolder[] {
  const results = relative(projectRoot, resolve(dirname(studyFile), 'out'))
    .split(sep)
    .join('/')
  const folders = [
    { name: '.whatif', place: '.whatif' },
    { name: 'out', place: results },
  ]
  const hasPackages = existsSync(join(projectRoot, 'node_modules'))
  return hasPackages ? [...folders, { name: 'node_modules', place: 'node_modules' }] : folders
}

/** The starter study names columns of the service's schema; if that does not fit after all, it names none. */
function soundStudy(options: StarterOptions, schema: CleanedSchema | null): string {
  const text = starterStudy(options)
  const { study } = loadStudy(text, { filename: 'study.yaml' })
  const isSound = study !== null && (schema === null || !hasErrors(checkConditions(study, options.dataset, schema)))
  if (isSound || options.data === null) return text
  return starterStudy({ ...options, data: { ...options.data, columns: [] } })
}

function nextSteps(whatif: string, study: string, isTrained: boolean): string {
  const steps: readonly (readonly [command: string, what: string])[] = isTrained
    ? [
        [`${whatif} plan ${study}`, 'what a run would do, and the most rows that it can be billed'],
        [`${whatif} run ${study}`, 'results, and a manifest of what you asked for and what you got'],
        [`${whatif} explore ${study}`, 'a page with a lever for each column, and the answers beside them'],
        [`${whatif} lock ${study}`, "the data's columns and levels, for reviews and editors"],
      ]
    : [
        [`${whatif} inspect seeds/panel.csv`, 'shows columns and levels, once your seed file is there'],
        [`${whatif} validate ${study}`, 'checks the study, once it uses these names'],
        [`${whatif} run ${study}`, ''],
      ]
  return `next:\n${steps.map(([command, what]) => `  ${command}\n${what === '' ? '' : `      ${what}\n`}`).join('')}`
}
