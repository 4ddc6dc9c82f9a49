import { dataRecord } from '../../base/data-record.ts'
import type { Declarations } from '../declarations.ts'
import { childItems, childMap, childName, childNumber, type LocatedNode, nameText } from '../yaml/located-node.ts'
import { encodingName } from './encoding-name.ts'

type Types = NonNullable<Declarations['types']>

/** What a dataset's entry declares about its file; undefined when it declares nothing. The shape has been checked. */
export function readDeclarations(dataset: LocatedNode): Declarations | undefined {
  const weight = childName(dataset, 'weight')?.value
  const encoding = childName(dataset, 'encoding')?.value
  const headerRows = childNumber(dataset, 'header_rows')?.value
  const drop = childItems(dataset, 'drop').map(nameText)
  const missing = recordOf(dataset, 'missing', (node) => itemsOf(node).map(missingValue))
  const types = recordOf(dataset, 'types', (node) => nameText(node) as Types[string])
  const levels = recordOf(dataset, 'levels', (node) => itemsOf(node).map(nameText))
  const bands = recordOf(dataset, 'bands', (node) => ({ of: childName(node, 'of')!.value, at: cutsOf(node) }))
  const dates = recordOf(dataset, 'dates', nameText)
  const declarations: Declarations = {
    ...(weight !== undefined && { weight }),
    ...(drop.length > 0 && { drop }),
    ...(missing && { missing }),
    ...(types && { types }),
    ...(levels && { levels }),
    ...(bands && { bands }),
    ...(headerRows !== undefined && { headerRows }),
    // One encoding has many labels, and the same bytes mean the same under each of them.
    ...(encoding !== undefined && { encoding: encodingName(encoding) ?? encoding }),
    ...(dates && { dates }),
  }
  return Object.keys(declarations).length === 0 ? undefined : declarations
}

/** The cuts of a band as written. */
export function cutsOf(band: LocatedNode): number[] {
  return childItems(band, 'at').map((cut) => Number(cut.kind === 'scalar' ? cut.value : Number.NaN) + 0)
}

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
  const entries = [...(childMap(dataset, key)?.entries.values() ?? [])]
  if (entries.length === 0) return undefined
  return dataRecord(entries.map((entry) => [entry.key, convert(entry.value)] as const))
}
