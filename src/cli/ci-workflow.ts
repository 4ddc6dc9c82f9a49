import { readFile } from 'node:fs/promises'

/** Workflows that the package ships, which are examples too; `ci-workflow.long.test.ts` runs them step by step. */
const FILES = { github: 'github-workflow.yml', gitlab: 'gitlab-ci.yml' } as const

/** The line of both that names the study. */
const STUDY_LINE = /^ {2}STUDY: brand\.study\.yaml$/m

/** A workflow that validates and runs a study. `studyPath` is relative to the root of the repository, with `/`. */
export async function ciWorkflow(system: keyof typeof FILES, studyPath: string): Promise<string> {
  const text = await readFile(new URL(`../../examples/ci/${FILES[system]}`, import.meta.url), 'utf8')
  // In double quotes YAML takes what JSON does.
  return text.replace(STUDY_LINE, () => `  STUDY: ${JSON.stringify(studyPath)}`)
}
