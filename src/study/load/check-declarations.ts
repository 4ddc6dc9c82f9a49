import { parseDateFormat } from '../../base/date-format.ts'
import { usualAnswered } from '../declarations.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { isChangedByYaml11 } from '../shape/name-lints.ts'
import {
  childItems,
  childMap,
  childName,
  childNumber,
  type Located,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { checkColumnUses } from './check-column-uses.ts'
import { checkDesign } from './check-design.ts'
import { checkRules } from './check-rules.ts'
import { commonEncoding, ENCODING_NAMES, encodingName } from './encoding-name.ts'
import { cutsOf } from './read-declarations.ts'

/**
 * The faults of what a dataset's entry declares about its file, as far as the entry alone shows them. The shape has been
 * checked.
 */
export function checkDeclarations(dataset: LocatedNode): Diagnostic[] {
  const drop = childItems(dataset, 'drop')
  const levels = entriesOf(dataset, 'levels')
  const missing = entriesOf(dataset, 'missing')
  return [
    ...checkColumnUses(dataset),
    ...checkDesign(dataset),
    ...repeated(drop, (name) => `column "${name}" is dropped twice`),
    ...[...levels, ...missing].flatMap(({ key, value }) =>
      repeated(itemsOf(value), (name) => `"${name}" is listed twice for column "${key}"`),
    ),
    ...[drop, ...levels.map(({ value }) => itemsOf(value))].flatMap((names) => lintNames(names, { areNumbers: false })),
    ...missing.flatMap(({ value }) => lintNames(itemsOf(value), { areNumbers: true })),
    ...missing.flatMap(({ value }) => itemsOf(value).flatMap(quotedNumber)),
    ...missingLevels(dataset),
    ...entriesOf(dataset, 'bands').flatMap(({ key, value }) => cutFaults(key, value)),
    ...entriesOf(dataset, 'scores').flatMap(({ key, value }) => answeredFault(key, value)),
    ...checkRules(dataset),
    ...entriesOf(dataset, 'dates').flatMap(({ key, value }) => dateFault(key, value)),
    ...encodingFault(childName(dataset, 'encoding')),
  ]
}

const entriesOf = (dataset: LocatedNode, key: string) => [...(childMap(dataset, key)?.entries.values() ?? [])]

const itemsOf = (node: LocatedNode): readonly LocatedNode[] => (node.kind === 'list' ? node.items : [])

/** The number 98 and the text "98" are two values. */
const identityOf = (node: LocatedNode): string =>
  node.kind === 'scalar' && typeof node.value === 'number' ? String(node.value) : JSON.stringify(nameText(node))

function repeated(items: readonly LocatedNode[], summary: (name: string) => string): Diagnostic[] {
  const first = new Map<string, SourceRange>()
  return items.flatMap((item) => {
    const name = identityOf(item)
    const before = first.get(name)
    if (before === undefined) {
      first.set(name, item.range)
      return []
    }
    const related = [{ message: 'the first one', range: before }]
    return [
      diagnose('S1402', { summary: summary(nameText(item)), range: item.range, detail: 'remove one of them', related }),
    ]
  })
}

/** Warns of names that YAML converts, as for keys: `[no, on, 010]`. Numbers among missing values have separate warnings. */
function lintNames(items: readonly LocatedNode[], { areNumbers }: { readonly areNumbers: boolean }): Diagnostic[] {
  return items.flatMap((item) => {
    if (item.kind !== 'scalar' || item.source === null || !isChangedByYaml11(item.source)) return []
    if (areNumbers && typeof item.value === 'number') return []
    return [
      diagnose('W3101', {
        summary: `other YAML readers change the unquoted name ${item.source}`,
        range: item.range,
        detail: `write "${item.source}"`,
      }),
    ]
  })
}

function quotedNumber(item: LocatedNode): Diagnostic[] {
  if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.source !== null) return []
  const text = item.value
  // A code with leading zeros is a text.
  if (!Number.isFinite(Number(text)) || String(Number(text)) !== text) return []
  return [
    diagnose('W1411', {
      summary: `"${text}" in quotes is text, not a number`,
      range: item.range,
      detail: `write ${text}`,
    }),
  ]
}

function missingLevels(dataset: LocatedNode): Diagnostic[] {
  const missing = childMap(dataset, 'missing')
  return entriesOf(dataset, 'levels').flatMap(({ key, value }) => {
    const none = new Map(
      ['*', key].flatMap((name) => childItems(missing, name).map((item) => [nameText(item), item.range] as const)),
    )
    return itemsOf(value).flatMap((level) => {
      const place = none.get(nameText(level))
      if (place === undefined) return []
      return [
        diagnose('S1410', {
          summary: `level "${nameText(level)}" of column "${key}" is declared missing`,
          range: level.range,
          detail: 'remove it from one of the two lists',
          related: [{ message: 'declared missing here', range: place }],
        }),
      ]
    })
  })
}

function cutFaults(name: string, band: LocatedNode): Diagnostic[] {
  const cuts = cutsOf(band)
  const at = cuts.findIndex((cut, i) => i > 0 && cut <= cuts[i - 1]!)
  if (at < 0) return []
  const sorted = [...new Set(cuts)].sort((a, b) => a - b)
  return [
    diagnose('S1406', {
      summary: `the cuts of band "${name}" do not ascend: ${cuts[at]} after ${cuts[at - 1]}`,
      range: childItems(band, 'at')[at]!.range,
      detail: `write at: [${sorted.join(', ')}]`,
    }),
  ]
}

/** A score of more items than there are would be one of no row. */
function answeredFault(name: string, score: LocatedNode): Diagnostic[] {
  const least = childNumber(score, 'min_answered')
  const items = childItems(score, 'mean').length
  if (least === undefined || least.value <= items) return []
  return [
    diagnose('S1416', {
      summary: `score "${name}" needs ${least.value} answers, and has ${items} items`,
      range: least.range,
      detail: `write a number from 1 to ${items}, or leave it out for ${usualAnswered(items)}`,
    }),
  ]
}

function dateFault(column: string, node: LocatedNode): Diagnostic[] {
  const format = parseDateFormat(nameText(node))
  if ('parts' in format) return []
  return [
    diagnose('S1408', {
      summary: `"${nameText(node)}" is no date format for column "${column}"`,
      range: node.range,
      detail: `${format.fault}; for example DD/MM/YYYY, M/D/YY, DDmonYYYY, YYYY-MM-DD HH:mm:ss`,
      suggestions: format.likely === null ? [] : [format.likely],
    }),
  ]
}

function encodingFault(label: Located<string> | undefined): Diagnostic[] {
  if (label === undefined || encodingName(label.value) !== null) return []
  const common = commonEncoding(label.value)
  return [
    diagnose('S1409', {
      summary: `there is no encoding "${label.value}"`,
      range: label.range,
      detail: 'for example utf-8, utf-16le, windows-1251, iso-8859-2, macintosh, gb18030, shift_jis, euc-kr',
      suggestions: common === null ? suggest(label.value, ENCODING_NAMES) : [common],
    }),
  ]
}
