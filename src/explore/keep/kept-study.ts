import type { Declarations } from '../../study/declarations.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import type { Study } from '../../study/study.ts'
import { quotedName, writtenName } from '../../study/writing/written-name.ts'
import type { KeptScenarios } from '../wire/messages.ts'
import { addToTop } from './add-to-map.ts'
import { comparisonLine } from './comparison-line.ts'
import { scenarioLines } from './scenario-lines.ts'

/** The text of a study with further scenarios, and the lines that are new. */
export interface KeptText {
  readonly text: string
  readonly added: readonly string[]
}

/** A new study for a seed file. */
export interface NewStudy {
  readonly name: string
  /** Relative to the study, with `/`. */
  readonly file: string
  /** Null: the name of the study, which is the dataset's id. */
  readonly displayName: string | null
  /** How the file was read. */
  readonly reading: Pick<Declarations, 'sheet' | 'headerRows' | 'encoding'>
}

/** The scenario that the page compares with. */
const AS_IT_IS = 'as-is'

/**
 * A study that has the scenarios of the page, and a comparison with the data as they are that asks for the same outcomes, so that its
 * report shows the figures of the page.
 *
 * @returns a text: why the scenarios cannot be added.
 */
export function addScenarios(
  text: string,
  { study, dataset }: { readonly study: Study; readonly dataset: string },
  kept: KeptScenarios,
): KeptText | string {
  const taken = new Set(study.scenarios.flatMap(({ id, group }) => [id, group]))
  const twice = kept.scenarios.find(
    ({ id }, i) => taken.has(id) || kept.scenarios.findIndex((one) => one.id === id) < i,
  )
  if (twice !== undefined) return `The study has a scenario "${twice.id}" already. Give yours another name.`
  const of = study.datasets.size > 1 ? dataset : null
  const natural = study.scenarios.find((one) => one.dataset === dataset && one.conditions.length === 0)
  const against = natural?.id ?? AS_IT_IS
  if (natural === undefined && taken.has(AS_IT_IS))
    return `The study has no scenario without conditions to compare with, and "${AS_IT_IS}" has some. Rename it.`
  const scenarios = [
    ...(natural === undefined ? [scenarioLines(AS_IT_IS, {}, of)] : []),
    ...kept.scenarios.map(({ id, conditions }) => scenarioLines(id, conditions, of)),
  ]
  const ids = new Set(study.comparisons.map(({ id }) => id))
  const comparison = comparisonLine(freeName('explored', ids), against, kept)
  const first = addToTop(text, 'scenarios', scenarios)
  const second = first === null ? null : addToTop(first.text, 'comparisons', [[comparison]])
  if (first === null || second === null) return 'The study has no list of scenarios that one could be added to.'
  return sound({ text: second.text, added: [...first.added, ...second.added] })
}

/** A study of a seed file that has none yet. */
export function newStudy({ name, file, displayName, reading }: NewStudy, kept: KeptScenarios): KeptText | string {
  const { sheet, headerRows, encoding } = reading
  const inMap = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
  const lines = [
    '# Made by whatif explore.',
    'version: 1',
    `name: ${name}`,
    '',
    'datasets:',
    `  ${name}:`,
    `    file: ${quotedUnlessPlain(file)}`,
    ...(displayName === null ? [] : [`    display_name: ${quotedName(displayName)}`]),
    ...(sheet === undefined ? [] : [`    sheet: ${writtenName(sheet)}`]),
    ...(headerRows === undefined ? [] : [`    header_rows: ${headerRows}`]),
    ...(encoding === undefined ? [] : [`    encoding: ${encoding}`]),
    '',
    'defaults:',
    '  rows: 1000',
    '  # The same seed gives the same rows again.',
    '  seed: 1',
    '  format: csv',
    '',
    'policy:',
    '  # Where the data cannot support a scenario, there are fewer rows of exactly its mix.',
    '  partial: warn',
    '',
    'scenarios:',
    '  # The data as they are, to compare with.',
    `  ${AS_IT_IS}: {}`,
    ...kept.scenarios.flatMap(({ id, conditions }) => inMap(scenarioLines(id, conditions, null))),
    '',
    `baseline: ${AS_IT_IS}`,
    'comparisons:',
    `  ${comparisonLine('explored', AS_IT_IS, kept)}`,
    '',
  ]
  return sound({ text: lines.join('\n'), added: lines.slice(0, -1) })
}

/** What is written must be a study: names of scenarios may be anything until here. */
function sound(kept: KeptText): KeptText | string {
  const { study, diagnostics } = loadStudy(kept.text, { filename: 'study.yaml', margins: 'unread' })
  if (study !== null && !hasErrors(diagnostics)) return kept
  const fault = diagnostics.find(({ severity }) => severity === 'error')
  return `This makes no valid study: ${fault === undefined ? 'it cannot be read' : [fault.summary, fault.detail].filter(Boolean).join('; ')}`
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const one = i === 1 ? name : `${name}-${i}`
    if (!taken.has(one)) return one
  }
}

const quotedUnlessPlain = (file: string): string =>
  /^[\p{Letter}\p{Number}][\p{Letter}\p{Number}_./-]*$/u.test(file) ? file : quotedName(file)
