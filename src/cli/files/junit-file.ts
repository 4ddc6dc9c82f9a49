import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { JUNIT_MARK } from '../../report/report-junit.ts'
import type { ReporterChoice } from '../options/reporter-option.ts'
import { checkReportPlace, ReportFault, writeReportFile } from './report-files.ts'

export interface JunitFile {
  /** Replaces the file as a whole. */
  write(text: string): Promise<void>
}

/** The file of `--reporter junit=FILE`, its place looked at before anything is done; null when none is wanted. */
export async function openJunitFile(choice: ReporterChoice | undefined, overwrite: boolean): Promise<JunitFile | null> {
  if (choice?.junit == null) return null
  const named = choice.junit
  const orRefuse = (error: unknown) => {
    if (!(error instanceof ReportFault)) throw error
    throw new SetupError(2, `--reporter junit=${escapeText(named)}: ${error.message}`)
  }
  const file = { path: resolve(named), mark: JUNIT_MARK }
  await checkReportPlace(fs, { ...file, text: '' }, overwrite).catch(orRefuse)
  return { write: (text) => writeReportFile(fs, { ...file, text }).catch(orRefuse) }
}
