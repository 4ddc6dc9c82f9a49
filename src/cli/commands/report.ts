import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { LANGUAGES, type Language, wordsOf } from '../../base/language/catalogues.ts'
import { inWords, type Words } from '../../base/language/language.ts'
import { ENGLISH } from '../../base/languages/english/english.ts'
import { readManifestFile } from '../../local/manifest-file.ts'
import { SetupError } from '../../local/setup-error.ts'
import { REPORTS, type ReportFormat } from '../../report/report.ts'
import { shownPath } from '../files/new-files.ts'
import { BYTE_ORDER_MARK, checkReportPlace, type ReportFile, writeReportFile } from '../files/report-files.ts'
import { reportLanguage } from '../options/option-values.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { jsonDocument } from '../output/json-document.ts'

/** One form of a report: its option, and what the option writes. */
interface Form {
  readonly flag: string
  readonly help: string
  /** People read it. Others are for scripts. */
  readonly isTranslated: boolean
  /** Of forms that are not text. Their libraries are loaded where one is asked for. */
  readonly office?: (read: ReadManifest, of: Words) => Promise<Uint8Array>
}

/** In the sequence of `--help`. A new format of text is an error of the compiler here. */
const FORMS = {
  markdown: { flag: 'md', help: 'write Markdown to this file', isTranslated: true },
  html: { flag: 'html', help: 'write the page that a run writes as report.html', isTranslated: true },
  csv: { flag: 'csv', help: 'write CSV to this file, which Excel opens with all letters', isTranslated: false },
  workbook: {
    flag: 'xlsx',
    help: 'write a workbook for Excel: banner tables with letters, differences, backtests, targets, provenance',
    isTranslated: true,
    office: async (read, of) => (await import('../../report/workbook/workbook.ts')).reportWorkbook(read, of),
  },
  deck: {
    flag: 'pptx',
    help: 'write slides for PowerPoint: charts that can be edited, the method in the notes',
    isTranslated: true,
    office: async (read, of) => (await import('../../report/deck/deck.ts')).reportDeck(read, of),
  },
  junit: { flag: 'junit', help: 'write JUnit XML to this file', isTranslated: false },
} as const satisfies { readonly [F in ReportFormat]: Omit<Form, 'office'> } & Record<string, Form>

type Flag = (typeof FORMS)[keyof typeof FORMS]['flag']

export interface ReportFlags extends Partial<Record<Flag, string>> {
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
  for (const { flag, help } of Object.values(FORMS)) command.option(`--${flag} <file>`, help)
  command
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
  const files = [...inWords(of, () => textFiles(read, flags)), ...(await officeFiles(read, flags, of))]
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
    const isEnglish = language !== 'en' && !one.isTranslated
    process.stderr.write(`${shownPath(one.path)}: written${isEnglish ? ', in English' : ''}\n`)
  }
  if (flags.json) {
    const written = files.map(({ form, path }) => ({ form, path: shownPath(path) }))
    process.stdout.write(document(read, { files: written, markdown: null }))
  }
  return 0
}

function checkLanguage(language: Language, flags: ReportFlags): void {
  const forms = Object.values(FORMS)
  const asked = forms.filter(({ flag }) => flags[flag] !== undefined)
  if (language === 'en' || asked.length === 0 || asked.some(({ isTranslated }) => isTranslated)) return
  const options = (of: readonly Pick<Form, 'flag'>[]) => of.map(({ flag }) => `--${flag}`)
  throw new SetupError(
    2,
    `--language ${language}: ${options(asked).join(' and ')} ${asked.length === 1 ? 'is' : 'are'} in English`,
    `Programs read these by their English words. Leave --language out, or pass one of ${options(forms.filter(({ isTranslated }) => isTranslated)).join(', ')}.`,
  )
}

function document({ digest }: ReadManifest, data: object): string {
  return jsonDocument({ command: 'report', data: { manifest_digest: digest, ...data } })
}

interface FormFile extends ReportFile {
  /** As a JSON document names its form: by its option. */
  readonly form: Flag
  readonly isTranslated: boolean
}

function formFile(
  { flag, isTranslated }: (typeof FORMS)[keyof typeof FORMS],
  file: string,
): Omit<FormFile, 'content' | 'mark'> {
  const path = resolve(file)
  return { form: flag, isTranslated, name: `report ${shownPath(path)}`, path }
}

function textFiles(read: ReadManifest, flags: ReportFlags): FormFile[] {
  return (Object.keys(REPORTS) as ReportFormat[]).flatMap((format) => {
    const form = FORMS[format]
    const file = flags[form.flag]
    if (file === undefined) return []
    const { mark, make } = REPORTS[format]
    const content = form.isTranslated ? make(read) : inWords(ENGLISH, () => make(read))
    return [{ ...formFile(form, file), content: `${format === 'csv' ? BYTE_ORDER_MARK : ''}${content}`, mark }]
  })
}

async function officeFiles(read: ReadManifest, flags: ReportFlags, of: Words): Promise<FormFile[]> {
  const files: FormFile[] = []
  for (const form of Object.values(FORMS)) {
    const file = flags[form.flag]
    if (file === undefined || !('office' in form)) continue
    files.push({ ...formFile(form, file), content: await form.office(read, of), mark: null })
  }
  return files
}
