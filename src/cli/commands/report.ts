import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { LANGUAGES, type Language, wordsOf } from '../../base/language/catalogues.ts'
import { inWords, type Words } from '../../base/language/language.ts'
import { ENGLISH } from '../../base/languages/english/english.ts'
import { readManifestFile } from '../../local/manifest-file.ts'
import { SetupError } from '../../local/setup-error.ts'
import { REPORTS } from '../../report/report.ts'
import { shownPath } from '../files/new-files.ts'
import { BYTE_ORDER_MARK, checkReportPlace, type ReportFile, writeReportFile } from '../files/report-files.ts'
import { reportLanguage } from '../options/option-values.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'

/** Option → format of the report that it writes. */
const FORMS = { md: 'markdown', html: 'html', csv: 'csv', junit: 'junit' } as const

export interface ReportFlags extends Partial<Record<keyof typeof FORMS, string>> {
  readonly xlsx?: string
  readonly pptx?: string
  readonly language?: Language
  readonly overwrite?: boolean
  readonly json?: boolean
}

/** Declares `whatif report`. */
export function declare(command: Command): void {
  command
    .description(
      'Write a manifest for people (a page with pictures, Markdown, a workbook of tables, or slides), for scripts (CSV, one row per figure) ' +
        'or for CI systems (JUnit XML). Without a file, Markdown is printed on stdout. Nothing but the manifest is read.',
    )
    .argument('<manifest>', 'manifest.json of a run')
    .option('--md <file>', 'write Markdown to this file')
    .option('--html <file>', 'write the page that a run writes as report.html')
    .option('--csv <file>', 'write CSV to this file, which Excel opens with all letters')
    .option(
      '--xlsx <file>',
      'write a workbook for Excel: banner tables with letters, differences, backtests, targets, provenance',
    )
    .option('--pptx <file>', 'write slides for PowerPoint: charts that can be edited, the method in the notes')
    .option('--junit <file>', 'write JUnit XML to this file')
    .option('--language <language>', `of all but CSV and JUnit: ${LANGUAGES.join(', ')}; default: en`, reportLanguage)
    .option('--overwrite', 'replace files that are not reports of the same kind')
    .option('--json', JSON_HELP)
    .action(async (manifest, flags) => {
      process.exitCode = await report(manifest, flags)
    })
}

/**
 * `whatif report`: a manifest in other forms; without a file to write, as Markdown on stdout, in the document of `--json` where
 * that is asked for. All files or none.
 */
export async function report(file: string, flags: ReportFlags): Promise<number> {
  const { language = 'en' } = flags
  checkLanguage(language, flags)
  const of = await wordsOf(language)
  const read = await readManifestFile(file)
  const files = [...inWords(of, () => reportFiles(read, flags)), ...(await officeFiles(read, flags, of))]
  if (files.length === 0) {
    const markdown = inWords(of, () => REPORTS.markdown.make(read))
    process.stdout.write(flags.json ? document(read, { files: [], markdown }) : markdown)
    return 0
  }
  const taken = new Set([resolve(file)])
  for (const one of files) {
    if (taken.has(one.path)) throw new SetupError(2, `${shownPath(one.path)}: it is given twice`)
    taken.add(one.path)
    await checkReportPlace(fs, one, flags.overwrite ?? false)
  }
  for (const one of files) {
    await writeReportFile(fs, one)
    const isEnglish = language !== 'en' && !TRANSLATED.has(one.form)
    process.stderr.write(`${shownPath(one.path)}: written${isEnglish ? ', in English' : ''}\n`)
  }
  if (flags.json) {
    const written = files.map(({ form, path }) => ({ form, path: shownPath(path) }))
    process.stdout.write(document(read, { files: written, markdown: null }))
  }
  return 0
}

/** The forms that people read. Others are for scripts. */
const TRANSLATED: ReadonlySet<string> = new Set(['md', 'html', 'xlsx', 'pptx'])

function checkLanguage(language: Language, flags: ReportFlags): void {
  const asked = [...Object.keys(FORMS), 'xlsx', 'pptx'].filter((form) => flags[form as keyof ReportFlags] !== undefined)
  if (language === 'en' || asked.length === 0 || asked.some((form) => TRANSLATED.has(form))) return
  throw new SetupError(
    2,
    `--language ${language}: ${asked.map((form) => `--${form}`).join(' and ')} ${asked.length === 1 ? 'is' : 'are'} in English`,
    'Programs read these by their English words. Leave --language out, or pass one of --md, --html, --xlsx, --pptx.',
  )
}

function document({ digest }: ReadManifest, data: object): string {
  return jsonDocument({ command: 'report', data: { manifest_digest: digest, ...data } })
}

function reportFiles(read: ReadManifest, flags: ReportFlags): (ReportFile & { readonly form: string })[] {
  return (Object.keys(FORMS) as (keyof typeof FORMS)[]).flatMap((form) => {
    if (flags[form] === undefined) return []
    const path = resolve(flags[form])
    const { mark, make } = REPORTS[FORMS[form]]
    const content = TRANSLATED.has(form) ? make(read) : inWords(ENGLISH, () => make(read))
    return [
      {
        form,
        name: `report ${shownPath(path)}`,
        path,
        content: `${form === 'csv' ? BYTE_ORDER_MARK : ''}${content}`,
        mark,
      },
    ]
  })
}

/** The libraries of these two are loaded where one is asked for. */
async function officeFiles(
  read: ReadManifest,
  { xlsx, pptx }: ReportFlags,
  of: Words,
): Promise<(ReportFile & { readonly form: string })[]> {
  const file = (form: string, name: string, content: Uint8Array): ReportFile & { readonly form: string } => {
    const path = resolve(name)
    return { form, name: `report ${shownPath(path)}`, path, content, mark: null }
  }
  const files: (ReportFile & { readonly form: string })[] = []
  if (xlsx !== undefined) {
    const { reportWorkbook } = await import('../../report/workbook/workbook.ts')
    files.push(file('xlsx', xlsx, await reportWorkbook(read, of)))
  }
  if (pptx !== undefined) {
    const { reportDeck } = await import('../../report/deck/deck.ts')
    files.push(file('pptx', pptx, await reportDeck(read, of)))
  }
  return files
}
