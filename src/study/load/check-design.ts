import { matchesGlob } from '../../base/text/match-glob.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import {
  childItems,
  childMap,
  childName,
  childNode,
  childNumber,
  type Located,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { columnsInRules } from './check-rules.ts'
import { type MadeColumn, madeColumns, weightOf } from './read-declarations.ts'

/** How a column of the design is used up; ends "column x …". */
const ROLES = { strata: 'says the stratum', clusters: 'says the cluster', replicate: 'is a replicate weight' } as const

/**
 * The faults of how a study says that the rows were drawn: a design that says nothing or twice the same, and columns of
 * it that other declarations use. The shape has been checked.
 */
export function checkDesign(dataset: LocatedNode): Diagnostic[] {
  const design = childMap(dataset, 'design')
  if (design === undefined) return []
  return [
    ...twoWeights(dataset, design),
    ...tooLittle(dataset, design),
    ...replicateFaults(childMap(design, 'replicate_weights')),
    ...twoRoles(dataset, design),
    ...usedColumns(dataset, design),
  ]
}

function twoWeights(dataset: LocatedNode, design: LocatedNode): Diagnostic[] {
  const weight = childName(dataset, 'weight')
  const own = childName(design, 'weight')
  if (weight === undefined || own === undefined || weight.value === own.value) return []
  return [
    diagnose('S1415', {
      summary: `the weight is "${weight.value}" and "${own.value}"`,
      range: own.range,
      detail: 'rows have one weight; remove one of the two',
      related: [{ message: 'the other weight', range: weight.range }],
    }),
  ]
}

function tooLittle(dataset: LocatedNode, design: LocatedNode): Diagnostic[] {
  const strata = childNode(design, 'strata')
  const clusters = childNode(design, 'clusters')
  const replicates = childNode(design, 'replicate_weights')
  if (replicates === undefined) {
    if (strata !== undefined || clusters !== undefined) return []
    const detail = 'name at least one of strata, clusters and replicate_weights; a weight alone goes beside `design`'
    return [
      diagnose('S1415', { summary: 'the design does not say how the rows were drawn', range: design.range, detail }),
    ]
  }
  const drawn = strata ?? clusters
  if (drawn !== undefined) {
    const detail = 'replicate weights say what strata and clusters say; remove one of the two'
    const summary = 'a design has strata and clusters, or replicate weights, not both'
    const related = [{ message: 'the replicate weights', range: replicates.range }]
    return [diagnose('S1415', { summary, range: drawn.range, detail, related })]
  }
  if (weightOf(dataset) !== undefined) return []
  const detail = 'name it as `weight`; where all rows count alike, it is a column of 1'
  return [
    diagnose('S1415', { summary: 'replicate weights need the weight that they vary', range: replicates.range, detail }),
  ]
}

function replicateFaults(replicates: LocatedNode | undefined): Diagnostic[] {
  if (replicates === undefined) return []
  const fault = (summary: string, range: SourceRange, detail: string) => [diagnose('S1415', { summary, range, detail })]
  const scale = childNumber(replicates, 'scale')
  const rho = childNumber(replicates, 'rho')
  const type = childName(replicates, 'type')!
  if (scale?.value === 0)
    return fault('the scale is 0', scale.range, 'every standard error would be 0; write a larger one')
  if (type.value !== 'fay') {
    if (rho === undefined) return []
    return fault(
      `type ${type.value} has no rho`,
      rho.range,
      'rho belongs to Fay’s method: write type: fay, or remove rho',
    )
  }
  if (rho === undefined) {
    return fault('type fay needs rho', type.range, 'write what the survey’s documentation says, for example rho: 0.5')
  }
  return rho.value < 1 ? [] : fault('rho is 1', rho.range, 'rho is less than 1: replicates with rho 1 do not vary')
}

function twoRoles(dataset: LocatedNode, design: LocatedNode): Diagnostic[] {
  const weight = weightOf(dataset)
  const strata = childName(design, 'strata')
  const clusters = childName(design, 'clusters')
  const pairs = [
    [strata, 'strata', clusters, 'clusters'],
    [weight, 'weight', strata, 'strata'],
    [weight, 'weight', clusters, 'clusters'],
  ] as const
  return pairs.flatMap(([one, as, other, otherAs]) => {
    if (one === undefined || one.value !== other?.value) return []
    return diagnose('S1415', {
      summary: `column "${one.value}" is ${as} and ${otherAs}`,
      range: other.range,
      detail: 'a column says one of them; remove or correct one',
      related: [{ message: `${as} here`, range: one.range }],
    })
  })
}

/** The columns of a design leave the table, so nothing else can use them. */
function usedColumns(dataset: LocatedNode, design: LocatedNode): Diagnostic[] {
  const roleOf = rolesOf(dataset, design)
  const keys = (key: string): Located<string>[] =>
    [...(childMap(dataset, key)?.entries.values() ?? [])].map((entry) => ({ value: entry.key, range: entry.keyRange }))
  const made = madeColumns(dataset)
  const sourcesOf = (key: MadeColumn['key']) => made.filter((one) => one.key === key).flatMap(({ of }) => of)
  const used = (columns: readonly Located<string>[], code: 'S1401' | 'S1414', as: string, detail: string) =>
    columns.flatMap(({ value, range }) => {
      const role = roleOf(value)
      if (role === null) return []
      const related = [{ message: 'the design', range: role.range }]
      return diagnose(code, { summary: `column "${value}" ${as}, and it ${role.does}`, range, detail, related })
    })
  const dropped = childItems(dataset, 'drop').map((item) => ({ value: nameText(item), range: item.range }))
  return [
    ...used(
      dropped,
      'S1401',
      'is dropped',
      'remove it from `drop`: of strata and clusters only numbers are sent, not the values of the file',
    ),
    ...used(keys('levels'), 'S1414', 'has levels', COPY),
    ...used(sourcesOf('bands'), 'S1414', 'has bands', COPY),
    ...used(sourcesOf('nets'), 'S1414', 'has a net', COPY),
    ...used(sourcesOf('nps'), 'S1414', 'has a net promoter score', COPY),
    ...used(sourcesOf('scores'), 'S1414', 'is an item of a score', COPY),
    ...used(sourcesOf('differences'), 'S1414', 'is part of a difference', COPY),
    ...used(columnsInRules(dataset), 'S1414', 'is in a rule', COPY),
  ]
}

const COPY = 'columns of the design are no answers; to use it as one too, copy it under another name in the file'

function rolesOf(
  dataset: LocatedNode,
  design: LocatedNode,
): (column: string) => { readonly does: string; readonly range: SourceRange } | null {
  const weight = weightOf(dataset)?.value
  const pattern = childName(childMap(design, 'replicate_weights'), 'columns')
  return (column) => {
    for (const key of ['strata', 'clusters'] as const) {
      const named = childName(design, key)
      if (named?.value === column) return { does: ROLES[key], range: named.range }
    }
    if (pattern === undefined || column === weight || !matchesGlob(pattern.value, column)) return null
    return { does: ROLES.replicate, range: pattern.range }
  }
}
