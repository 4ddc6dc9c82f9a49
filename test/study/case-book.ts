import { readdirSync, readFileSync } from 'node:fs'
import type { Diagnostic } from '../../src/study/diagnostics/diagnostic.ts'
import { renderDiagnostics } from '../../src/study/diagnostics/render-diagnostic.ts'
import type { CleanedSchema } from '../../src/study/live-schema/cleaned-schema.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { checkDataset } from '../../src/study/lock/check-drift.ts'
import { lockedSchema } from '../../src/study/lock/lock.ts'
import { parseLock } from '../../src/study/lock/parse-lock.ts'

/**
 * The books in `diagnostics/` hold one case per heading: a study, for live checks the cleaned schema of its dataset
 * `panel`, for drift the text of the lock, and all that is said about them, word for word. They look like Markdown, but formatters of Markdown would also reformat the studies.
 */
export interface BookCase {
  readonly book: string
  readonly name: string
  readonly yaml: string
  readonly schema: CleanedSchema | null
  readonly lock: string | null
  readonly says: string
}

const BOOKS_URL = new URL('diagnostics/', import.meta.url)

export function readBooks(): BookCase[] {
  return readdirSync(BOOKS_URL)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((book) => {
      const [, ...sections] = readFileSync(new URL(book, BOOKS_URL), 'utf8').split(/^## /m)
      return sections.map((section) => readCase(book, section))
    })
}

function readCase(book: string, section: string): BookCase {
  const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(section)?.[1]
  const schema = block('json')
  return {
    book,
    name: section.slice(0, section.indexOf('\n')),
    yaml: block('yaml') ?? '',
    schema: schema === undefined ? null : { dropped: [], renamed: [], schemaLabel: LABEL, ...JSON.parse(schema) },
    lock: block('lock') ?? null,
    says: block('text') ?? '',
  }
}

const LABEL = 'study.lock.json (panel, 4f2a90c1)'

export const FILENAME = 'x.study.yaml'

/** The findings in a study, and in its conditions if there is a schema and the study is valid. */
export function diagnosticsOf(found: Pick<BookCase, 'yaml' | 'schema' | 'lock'>): readonly Diagnostic[] {
  const { yaml, schema } = found
  const { study, diagnostics } = loadStudy(yaml, { filename: FILENAME })
  if (study === null || schema === null) return diagnostics
  const lock = found.lock === null ? null : parseLock(found.lock)
  const fileName = 'x.study.lock.json'
  const locked = lock && { schema: lockedSchema(lock, 'panel', lock.datasets.get('panel')!, fileName), fileName }
  return [...diagnostics, ...checkDataset(study, 'panel', schema, locked)]
}

export function render(yaml: string, diagnostics: readonly Diagnostic[]): string {
  return `${renderDiagnostics(diagnostics, { sources: new Map([[FILENAME, yaml]]), color: false })}\n`
}
