import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { type Answer, type ComparisonAnswers, comparisonAnswers } from '../../../answers/words/answer-text.ts'
import { comparedScenario } from '../../../answers/words/compared-scenario.ts'
import { answerNotes, basisLines, noEstimatesText } from '../../../answers/words/difference-text.ts'
import { numberWord } from '../../../answers/words/quantile-text.ts'
import {
  type Block,
  fold,
  heading,
  note,
  paragraph,
  type Row,
  type Section,
  table,
} from '../../../base/document/block.ts'
import { code, joined, muted, name, nameList, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { countText, moreText } from '../../../base/text/amount-text.ts'
import { labelText } from '../../../base/text/label-text.ts'
import type { ManifestComparison } from '../../../records/manifest/comparisons.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { comparedOrder, own } from '../../scenario-names.ts'
import { replicateTexts } from '../../tables/replicate-notes.ts'
import { rowsDistances } from '../../tables/rows-distance-table.ts'
import { answerCells, answerHeads } from '../answer-cells.ts'
import { grouped } from '../grouped.ts'

/** A comparison with more rows has its tables folded. */
const MOST_OPEN = 60
/** Rows of the whole section: a page of more is of no use to a reader, and a mail does not carry it. */
const MOST_ROWS = 20_000
const MOST_NAMES = 6

/** All differences of all comparisons; null when the study compares nothing. */
export function comparisonsSection({ manifest }: ReadManifest): Section | null {
  const comparisons = comparisonAnswers(manifest)
  if (comparisons.length === 0) return null
  const place = comparedOrder(manifest)
  const room = { rows: MOST_ROWS }
  const parts = comparisons.map((comparison) => comparisonPart(manifest, comparison, place, room))
  return {
    id: 'comparisons',
    title: words().sections.comparisons.title,
    blocks: [
      ...parts.flat(),
      ...answerNotes().map(note),
      room.rows < 0 &&
        note(
          words().sections.comparisons.leftOut<Text>(-room.rows, code('manifest.json'), code('whatif report --csv')),
        ),
    ],
  }
}

/** The rows that the page still has room for; below zero: as many were left out. */
interface Room {
  rows: number
}

function comparisonPart(
  manifest: Manifest,
  { id, against, answers, segments, by, where, whereRows, missing }: ComparisonAnswers,
  place: ReadonlyMap<string, number>,
  room: Room,
): Block[] {
  const comparison = manifest.comparisons[id]!
  const { comparisons: say } = words().sections
  const columns = grouped(byPlace(answers, place), ({ column, level, quantile }) =>
    JSON.stringify([level === null, column, quantile]),
  )
  const inside = grouped(byPlace(segments, place), ({ column, level, quantile }) =>
    JSON.stringify([level === null, column, quantile]),
  )
  const isFolded = answers.length + segments.length > MOST_OPEN
  const tables = [...columns].flatMap(([key, rows]) => [
    columnTable({ manifest, against, rows, isFolded, by: null, room }),
    by !== null && inside.has(key) && columnTable({ manifest, against, rows: inside.get(key)!, isFolded, by, room }),
  ])
  return [
    heading([name(id), ' ', muted(say.against<Text>(name(against)))]),
    where !== null && note(say.countedIn<Text>(name(where), whereRows)),
    ...basisNotes(comparison),
    missing.length > 0 && paragraph(say.noResult<Text>(nameList(missing, MOST_NAMES)), 'bad'),
    ...replicateTexts(manifest, comparison).map(note),
    ...tables,
    rowsDistances(id, comparison),
  ]
}

/** The outcomes as in the study, then scenarios as in the study. */
const byPlace = (answers: readonly Answer[], place: ReadonlyMap<string, number>): Answer[] =>
  [...answers].sort((a, b) => a.place - b.place || (place.get(a.scenario) ?? 0) - (place.get(b.scenario) ?? 0))

function basisNotes({ scenarios }: ManifestComparison): Block[] {
  const results = Object.values(scenarios)
  const { comparisons: say } = words().sections
  const segments = results.flatMap((one) => one.segments ?? [])
  const inside = noEstimatesText(segments.map((one) => one.no_estimates))
  const empty = Object.entries(scenarios).flatMap(([id, one]) =>
    (one.segments ?? []).flatMap(({ level, rows }) =>
      rows.scenario > 0 && rows.against > 0 ? [] : [say.segmentOf<Text>(name(level), name(id))],
    ),
  )
  return [
    ...basisLines(results).map((line) => note(words().figures.sentence(line))),
    inside !== '' && note(say.insideSegments(inside)),
    empty.length > 0 &&
      note(
        say.emptySegments<Text>([
          joined(empty.slice(0, MOST_NAMES), words().figures.comma),
          moreText(empty.length - MOST_NAMES),
        ]),
      ),
  ]
}

interface ColumnTable {
  readonly manifest: Manifest
  readonly against: string
  /** Of one column. */
  readonly rows: readonly Answer[]
  readonly isFolded: boolean
  /** The column of the segments; null: all rows. */
  readonly by: string | null
  readonly room: Room
}

/** The table of one outcome. */
function columnTable({ manifest, against, rows, isFolded, by, room }: ColumnTable): Block {
  const { column, level, quantile } = rows[0]!
  const { comparisons: say } = words().sections
  const fitting = rows.slice(0, Math.max(0, room.rows))
  room.rows -= rows.length
  const label = labelOf(manifest, against, column)
  const sizes = by === null ? null : manifest.comparisons[rows[0]!.comparison]!.scenarios
  const title: Text = [
    level === null ? say.numbersOf<Text>(numberWord(quantile), name(column)) : say.sharesOf<Text>(name(column)),
    by !== null && say.by<Text>(name(by)),
    label !== undefined && [' ', muted(name(label))],
  ]
  const of = table(
    title,
    [
      words().answers.heads.scenario,
      ...(by === null ? [] : [name(by), say.rows]),
      ...answerHeads(level === null ? null : 'points', 'record'),
    ],
    [...grouped(fitting, (answer) => String(answer.level)).values()].flatMap((group): Row[] => [
      ...(level === null ? [] : [{ heading: name(group[0]!.level!) }]),
      ...group.map((answer) => rowOf(answer, sizes)),
    ]),
  )
  const beyond = rows.filter(({ beyond }) => beyond === true).length
  const size = muted(say.size(rows.length, beyond))
  return isFolded ? fold([title, ' ', size], [of], rows.length > MOST_OPEN ? 'long' : undefined) : of
}

/** `of`: where the rows of each segment are; null for an answer of all rows. */
function rowOf(answer: Answer, of: ManifestComparison['scenarios'] | null): Row {
  const size = of?.[answer.scenario]?.segments?.find(({ level }) => level === answer.segment)?.rows
  const segment = [name(answer.segment ?? ''), size && `${countText(size.against)} → ${countText(size.scenario)}`]
  const cells = [name(answer.scenario), ...(of === null ? [] : segment), ...answerCells(answer, 'record')]
  return answer.beyond === true ? { outstanding: cells } : cells
}

/** What the seed file says that the column means. */
function labelOf(manifest: Manifest, scenario: string, column: string): string | undefined {
  const dataset = own(manifest.datasets, comparedScenario(manifest, scenario)?.dataset ?? '')
  const raw = own(dataset?.labels ?? {}, column) ?? own(dataset?.columns ?? {}, column)?.label
  return raw === undefined ? undefined : labelText(raw)
}
