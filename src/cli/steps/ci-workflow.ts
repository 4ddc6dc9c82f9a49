/**
 * Workflows that validate and run studies in CI. They are made of the two that the package ships, which are examples too;
 * `ci-workflow.long.test.ts` runs them step by step.
 */

import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { packageFile } from '../../base/package-file.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import { repositoryRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'

export type CiSystem = 'github' | 'gitlab'

/** A file to be written, with an absolute path. */
export interface WorkflowFile {
  readonly path: string
  readonly text: string
}

export interface CiFiles {
  readonly files: readonly WorkflowFile[]
  /** A file that is there already and is not replaced, with the lines to add to it; null: nothing is left to do. */
  readonly toAdd: { readonly path: string; readonly lines: readonly string[] } | null
}

const EXAMPLES = { github: 'github-workflow.yml', gitlab: 'gitlab-ci.yml' } as const
const GITLAB_PIPELINE = '.gitlab-ci.yml'
const GITLAB_PART = '.gitlab/whatif.yml'

/** The line of both examples that names the study. */
const STUDY_LINE = /^ {2}STUDY: brand\.study\.yaml$/m

/** A workflow of one study. `studyPath` is relative to the root of the repository, with `/`. */
export async function ciWorkflow(system: CiSystem, studyPath: string): Promise<string> {
  const text = await fs.readFile(packageFile(`examples/ci/${EXAMPLES[system]}`), 'utf8')
  // YAML accepts the same escapes in double quotes as JSON.
  return text.replace(STUDY_LINE, () => `  STUDY: ${JSON.stringify(studyPath)}`)
}

/** The workflows of studies of one repository, with absolute paths of the studies. At least one. */
export async function ciFilesFor(system: CiSystem, studies: readonly string[]): Promise<CiFiles> {
  const root = repositoryRootOf(studies[0]!)
  const paths = studies.map((study) => relative(root, study).split(sep).join('/'))
  return system === 'github' ? githubFiles(root, paths) : gitlabFiles(root, paths)
}

/** A file of each study, because state, results and schedule are kept apart. */
async function githubFiles(root: string, studies: readonly string[]): Promise<CiFiles> {
  const files: WorkflowFile[] = []
  for (const study of studies) {
    const text = await ciWorkflow('github', study)
    const name = nameOf(study)
    const isOnly = studies.length === 1
    files.push({
      path: resolve(root, '.github/workflows', isOnly ? 'whatif.yml' : `whatif-${name}.yml`),
      text: isOnly ? text : ofOneStudy(text, name),
    })
  }
  return { files, toAdd: null }
}

/** The name ends with a sign that no name has, so that no key is the beginning of another one. */
function ofOneStudy(workflow: string, name: string): string {
  return workflow
    .replaceAll('.github/workflows/whatif.yml', `.github/workflows/whatif-${name}.yml`)
    .replace(/^name: whatif$/m, `name: whatif ${name}`)
    .replaceAll(/((?:restore-keys|key|group): whatif-)/g, `$1${name}+`)
    .replace('name: whatif-manifest', `name: whatif-manifest-${name}`)
}

/** GitLab reads one file. Where that is there already, it has to include another one. */
async function gitlabFiles(root: string, studies: readonly string[]): Promise<CiFiles> {
  const path = resolve(root, GITLAB_PIPELINE)
  const isThere = await fs.lstat(path).then(
    () => true,
    () => false,
  )
  if (!isThere && studies.length === 1)
    return { files: [{ path, text: await ciWorkflow('gitlab', studies[0]!) }], toAdd: null }
  const part = { path: resolve(root, isThere ? GITLAB_PART : GITLAB_PIPELINE), text: await gitlabPart(studies) }
  const lines = ['include:', `  - local: ${GITLAB_PART}`]
  return { files: [part], toAdd: isThere ? { path, lines } : null }
}

/**
 * The jobs of several studies, or of a pipeline that is there already: each has the settings that the example shares, so that
 * they change nothing for other jobs. Stages before and after all others are in every pipeline.
 */
async function gitlabPart(studies: readonly string[]): Promise<string> {
  const example = await ciWorkflow('gitlab', '')
  const head = example.slice(0, example.indexOf('stages:'))
  const jobs = example.slice(example.indexOf('# Needs no secret'))
  return (
    head +
    studies
      .map((study) => {
        const name = nameOf(study)
        const own = [
          '  image: node:20',
          '  before_script:',
          '    - npm ci',
          '    - export PATH="$PWD/node_modules/.bin:$PATH"',
          '  variables:',
          `    STUDY: ${JSON.stringify(study)}`,
          '    OUT: whatif-out',
        ].join('\n')
        return jobs
          .replace('  stage: validate', () => `  stage: .pre\n${own}`)
          .replace('  stage: run', () => `  stage: .post\n  needs: [whatif-validate-${name}]\n${own}`)
          .replaceAll(/whatif-(validate|run)(?=:|$)/gm, `whatif-$1-${name}`)
      })
      .join('\n')
  )
}

/** `brand` of `studies/brand.study.yaml`; other signs than those of a job's name become hyphens. */
const nameOf = (study: string): string =>
  basename(study)
    .replace(/(?:\.study)?\.ya?ml$/i, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')

/** Folders that hold no studies of the project. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'out', 'dist'])
/** A repository with more folders is no place for a guess. */
const MOST_FOLDERS = 2000

/** The study files (`*.study.yaml`) of the repository of a folder, in the sequence of their paths. Hidden folders are left out. */
export async function studiesOf(folder: string): Promise<string[]> {
  const found: string[] = []
  const open = [repositoryRootOf(join(folder, 'x'))]
  for (let read = 0; open.length > 0 && read < MOST_FOLDERS; read++) {
    const place = open.pop()!
    for (const entry of await fs.readdir(place, { withFileTypes: true }).catch(() => [])) {
      const path = join(place, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) open.push(path)
      else if (entry.isFile() && /\.study\.ya?ml$/i.test(entry.name)) found.push(path)
    }
  }
  return found.sort()
}

/** A study with faults, or with marks of a merge, is one too. */
const STUDY_KEY = /(?:^|[{,]\s*)["']?(?:datasets|scenarios)["']?\s*:/m

/** The studies that a person named, without links; all of one repository, and none twice. */
export async function namedStudies(names: readonly string[]): Promise<string[]> {
  const studies: string[] = []
  for (const name of names) {
    const fault = (error: unknown): never => {
      throw new SetupError(2, `study ${escapeText(name)}: ${fileFaultText(error)}`)
    }
    const path = await fs.realpath(resolve(name)).catch(fault)
    if (!STUDY_KEY.test(await fs.readFile(path, 'utf8').catch(fault)))
      throw new SetupError(
        2,
        `study ${escapeText(name)}: it is no study, because it has neither "datasets" nor "scenarios"`,
        'Name a study file, or data to write one for.',
      )
    studies.push(path)
  }
  const root = repositoryRootOf(studies[0]!)
  const stranger = studies.findIndex((path) => {
    const way = relative(root, path)
    return way.startsWith(`..${sep}`) || isAbsolute(way)
  })
  if (stranger >= 0)
    throw new SetupError(
      2,
      `study ${escapeText(names[stranger]!)}: it lies in another repository than ${escapeText(names[0]!)}`,
    )
  const unique = [...new Set(studies)]
  const twice = unique.find((path, i) => unique.findIndex((other) => nameOf(other) === nameOf(path)) < i)
  if (twice !== undefined)
    throw new SetupError(2, `two studies are called ${escapeText(nameOf(twice))}; their workflows need different names`)
  return unique
}

/** Whether the lock file that the workflow asks for lies beside a study. */
export const hasLock = (study: string): boolean =>
  existsSync(join(dirname(study), `${basename(study).replace(/\.[^.]*$/, '')}.lock.json`))
