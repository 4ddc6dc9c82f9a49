import { dataRecord } from '../../base/data-record.ts'
import {
  type DecimalMark,
  type Declarations,
  type DeclaredDesign,
  type DeclaredReplicates,
  scoreName,
  usualAnswered,
} from '../declarations.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { parseRule } from '../rules/parse-rule.ts'
import {
  childItems,
  childMap,
  childName,
  childNode,
  childNumber,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { encodingName } from './encoding-name.ts'

type Types = NonNullable<Declarations['types']>

/** What a dataset's entry declares about its file; undefined when it declares nothing. The shape has been checked. */
export function readDeclarations(dataset: LocatedNode): Declarations | undefined {
  const weight = weightOf(dataset)?.value
  const design = designOf(childMap(dataset, 'design'))
  const encoding = childName(dataset, 'encoding')?.value
  const sheet = childName(dataset, 'sheet')?.value
  const headerRows = childNumber(dataset, 'header_rows')?.value
  const drop = childItems(dataset, 'drop').map(nameText)
  const columns = recordOf(dataset, 'columns', nameText)
  const recode = recordOf(dataset, 'recode', wordsOf)
  const missing = recordOf(dataset, 'missing', (node) => itemsOf(node).map(missingValue))
  const types = recordOf(dataset, 'types', (node) => nameText(node) as Types[string])
  const levels = recordOf(dataset, 'levels', (node) => itemsOf(node).map(nameText))
  const bands = recordOf(dataset, 'bands', (node) => ({ of: childName(node, 'of')!.value, at: cutsOf(node) }))
  const nets = recordOf(dataset, 'nets', (node) => ({
    of: childName(node, 'of')!.value,
    levels: childItems(node, 'levels').map(nameText),
  }))
  const nps = recommendations(dataset).map(nameText)
  const scores = recordOf(dataset, 'scores', (node) => {
    const mean = childItems(node, 'mean').map(nameText)
    return { mean, minAnswered: childNumber(node, 'min_answered')?.value ?? usualAnswered(mean.length) }
  })
  const differences = recordOf(dataset, 'differences', (node) => {
    const [from, subtracted] = itemsOf(node).map(nameText)
    return [from!, subtracted!] as const
  })
  const rules = childItems(dataset, 'rules').flatMap((item) => {
    const parsed = parseRule(nameText(item))
    // One that is none has a diagnostic.
    return 'rule' in parsed ? [parsed.rule] : []
  })
  const decimal = decimalOf(dataset)
  const multiple = recordOf(dataset, 'multiple', nameText)
  const fillDown = childItems(dataset, 'fill_down').map(nameText)
  const dates = recordOf(dataset, 'dates', nameText)
  const declarations: Declarations = {
    ...(weight !== undefined && { weight }),
    ...(design && { design }),
    ...(drop.length > 0 && { drop }),
    ...(columns && { columns }),
    ...(recode && { recode }),
    ...(missing && { missing }),
    ...(types && { types }),
    ...(levels && { levels }),
    ...(bands && { bands }),
    ...(nets && { nets }),
    ...(nps.length > 0 && { nps }),
    ...(scores && { scores }),
    ...(differences && { differences }),
    ...(rules.length > 0 && { rules }),
    ...(sheet !== undefined && { sheet }),
    ...(headerRows !== undefined && { headerRows }),
    // One encoding has many labels, and the same bytes mean the same under each of them.
    ...(encoding !== undefined && { encoding: encodingName(encoding) ?? encoding }),
    ...(decimal && { decimal }),
    ...(multiple && { multiple }),
    ...(fillDown.length > 0 && { fillDown }),
    ...(dates && { dates }),
  }
  return Object.keys(declarations).length === 0 ? undefined : declarations
}

/** The columns under `nps`: one, or a list. */
function recommendations(dataset: LocatedNode): readonly LocatedNode[] {
  const node = childNode(dataset, 'nps')
  return node === undefined || node.kind === 'list' ? childItems(dataset, 'nps') : [node]
}

/** A column that a declaration makes of others. */
export interface MadeColumn {
  readonly key: 'bands' | 'nets' | 'nps' | 'scores' | 'differences'
  readonly name: string
  /** Where it has its name. */
  readonly nameRange: SourceRange
  /** The columns that it is made of. */
  readonly of: readonly Located<string>[]
}

export function madeColumns(dataset: LocatedNode): readonly MadeColumn[] {
  const located = (node: LocatedNode): Located<string> => ({ value: nameText(node), range: node.range })
  const named = (key: MadeColumn['key'], sourcesOf: (node: LocatedNode) => readonly Located<string>[]): MadeColumn[] =>
    [...(childMap(dataset, key)?.entries.values() ?? [])].map(({ key: name, keyRange, value }) => ({
      key,
      name,
      nameRange: keyRange,
      of: sourcesOf(value),
    }))
  const one = (node: LocatedNode) => [childName(node, 'of')].filter((of) => of !== undefined)
  const nps = recommendations(dataset).map((item): MadeColumn => {
    const of = located(item)
    return { key: 'nps', name: scoreName(of.value), nameRange: item.range, of: [of] }
  })
  return [
    ...named('bands', one),
    ...named('nets', one),
    ...nps,
    ...named('scores', (node) => childItems(node, 'mean').map(located)),
    ...named('differences', (node) => itemsOf(node).map(located)),
  ]
}

function decimalOf(dataset: LocatedNode): Declarations['decimal'] {
  if (childMap(dataset, 'decimal')) return recordOf(dataset, 'decimal', (node) => nameText(node) as DecimalMark)
  return childName(dataset, 'decimal')?.value as DecimalMark | undefined
}

/** The weight, which has two places. */
export function weightOf(dataset: LocatedNode): Located<string> | undefined {
  return childName(dataset, 'weight') ?? childName(childNode(dataset, 'design'), 'weight')
}

function designOf(design: LocatedNode | undefined): DeclaredDesign | undefined {
  const strata = childName(design, 'strata')?.value
  const clusters = childName(design, 'clusters')?.value
  const replicates = childMap(design, 'replicate_weights')
  if (strata === undefined && clusters === undefined && replicates === undefined) return undefined
  return {
    ...(strata !== undefined && { strata }),
    ...(clusters !== undefined && { clusters }),
    ...(replicates && { replicateWeights: replicatesOf(replicates) }),
  }
}

function replicatesOf(replicates: LocatedNode): DeclaredReplicates {
  const scale = childNumber(replicates, 'scale')?.value
  const rho = childNumber(replicates, 'rho')?.value
  const rscales = numbersOf(replicates, 'rscales')
  return {
    columns: childName(replicates, 'columns')!.value,
    type: childName(replicates, 'type')!.value as DeclaredReplicates['type'],
    ...(scale !== undefined && { scale }),
    ...(rscales.length > 0 && { rscales }),
    ...(rho !== undefined && { rho }),
  }
}

/** The cuts of a band as written. */
export function cutsOf(band: LocatedNode): number[] {
  return numbersOf(band, 'at')
}

/** The numbers of a list. Adding zero makes -0 the 0 that it equals. */
const numbersOf = (node: LocatedNode, key: string): number[] =>
  childItems(node, key).map((item) => Number(item.kind === 'scalar' ? item.value : Number.NaN) + 0)

const itemsOf = (node: LocatedNode): readonly LocatedNode[] => (node.kind === 'list' ? node.items : [])

function missingValue(node: LocatedNode): string | number {
  // Adding zero makes -0 the 0 that it equals.
  return node.kind === 'scalar' && typeof node.value === 'number' ? node.value + 0 : nameText(node)
}

function recordOf<V>(
  dataset: LocatedNode,
  key: string,
  convert: (node: LocatedNode) => V,
): Readonly<Record<string, V>> | undefined {
  const record = childMap(dataset, key)
  return record === undefined || record.entries.size === 0 ? undefined : entriesOf(record, convert)
}

function entriesOf<V>(record: LocatedMap, convert: (node: LocatedNode) => V): Readonly<Record<string, V>> {
  return dataRecord([...record.entries.values()].map((entry) => [entry.key, convert(entry.value)] as const))
}

const wordsOf = (node: LocatedNode): Readonly<Record<string, string>> =>
  node.kind === 'map' ? entriesOf(node, nameText) : {}
