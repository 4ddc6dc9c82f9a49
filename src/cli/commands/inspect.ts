import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { projectRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'
import { dataSheet, SHEET_MARK } from '../../report/html/page/data-sheet.ts'
import { sourceOfFile } from '../../runner/datasets/inspect-dataset.ts'
import { shownPath } from '../files/new-files.ts'
import { checkReportPlace, type ReportFile, writeReportFile } from '../files/report-files.ts'
import { addReadingOptions, declaredByFlags, type ReadingFlags } from '../options/reading-options.ts'
import {
  addDeadlineOption,
  addOutputOptions,
  addServiceOptions,
  type DeadlineFlag,
  type StudyFlags,
} from '../options/study-options.ts'
import { sheetOf } from '../output/data-sheet.ts'
import { flagAdvice, withFlagAdvice } from '../output/flag-advice.ts'
import { inspectedData } from '../output/inspected-data.ts'
import { inspectionText } from '../output/inspection-text.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { findTarget, placeOf, sourceOf } from '../steps/named-data.ts'
import { ownFigures } from '../steps/own-figures.ts'
import { reportInvalid } from '../steps/report-study.ts'
import { inspectOne } from '../steps/without-generating.ts'

export type InspectFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'> &
  DeadlineFlag &
  ReadingFlags & {
    /** Where the data sheet is written; `true`: data-sheet.html. */
    readonly html?: string | true
    readonly overwrite?: boolean
  }

const NAMED = 'Name a seed file, the id of a trained dataset, or STUDY_FILE#DATASET: whatif inspect panel.csv --html.'

/** Declares `whatif inspect`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addServiceOptions(addDeadlineOption(addReadingOptions(command))))
    .description(
      'Show the cleaned columns of a dataset with their levels and ranges, what cleaning renamed, dropped and split and why, ' +
        'and how good the trained model is. A seed file without a trained model is uploaded and trained first; nothing is ' +
        'generated or billed.',
    )
    .argument('[what]', 'seed file, id of a trained dataset, or STUDY_FILE#DATASET')
    .option('--html [out]', 'write the data sheet as an HTML file with pictures; without a name, data-sheet.html')
    .option('--overwrite', 'replace a file of --html that is not a data sheet')
    .action(async (what: string | undefined, flags: InspectFlags) => {
      const { html } = flags
      // `inspect --html panel.csv` takes the name for that of the output, and `inspect --html panel.csv out.html` takes both.
      const isTaken = typeof html === 'string' && !isPage(html) && (what === undefined || isPage(what))
      const named = isTaken ? html : what
      if (named === undefined) throw new SetupError(2, 'no dataset is named', NAMED)
      process.exitCode = await inspect(named, isTaken ? { ...flags, html: what ?? true } : flags, env)
    })
}

const isPage = (name: string): boolean => /\.html?$/i.test(name)

/**
 * `whatif inspect`: what a service made of a seed file. One that was never trained is uploaded and trained for that; nothing is
 * generated or billed.
 */
export async function inspect(named: string, flags: InspectFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const target = await findTarget(named)
  const declared = declaredByFlags(flags)
  if (declared !== null && target.kind !== 'file')
    throw new SetupError(
      2,
      '--sheet, --encoding and --header-rows are for a seed file without a study',
      `In a study, "sheet", "encoding" and "header_rows" in the dataset's entry declare the same.`,
    )
  const sheet = sheetPlace(flags)
  if (sheet !== null && sheet.path === placeOf(target))
    throw new SetupError(2, `${sheet.name}: the data sheet would replace what it describes; name another file`)
  if (sheet !== null) await checkReportPlace(fs, sheet, flags.overwrite ?? false)
  if (target.kind === 'study' && target.file.study === null)
    return reportInvalid('inspect', [target.file], flags, terminal)
  const options = { command: 'inspect', projectRoot: projectRootOf(placeOf(target)), flags, terminal, env }
  const isBare = target.kind === 'file'
  return await inspectOne(
    { ...options, ...(isBare && { inWords: flagAdvice }) },
    (service, environment) =>
      isBare ? sourceOfFile(target.path, environment, declared) : sourceOf(target, service, environment),
    async (inspected, source) => {
      const found = isBare ? withFlagAdvice(inspected) : inspected
      if (sheet !== null) {
        await writeReportFile(fs, { ...sheet, content: dataSheet(sheetOf(found, named)) })
        process.stderr.write(`${shownPath(sheet.path)}: written\n`)
      }
      const exact = flags.json
        ? undefined
        : await ownFigures(target, declared, source.kind === 'file' ? source.seed.path : null)
      const data = { ...inspectedData(inspected), ...(sheet !== null && { html: shownPath(sheet.path) }) }
      return printResult(flags, { command: 'inspect', data }, () =>
        inspectionText(found, { name: named, width: terminal.width, ...(exact !== undefined && { exact }) }),
      )
    },
  )
}

/** The data sheet's file; null when none is wanted. */
function sheetPlace({ html }: InspectFlags): ReportFile | null {
  if (html === undefined) return null
  const path = resolve(html === true ? 'data-sheet.html' : html)
  return { name: `inspect --html ${shownPath(path)}`, path, content: '', mark: SHEET_MARK }
}
