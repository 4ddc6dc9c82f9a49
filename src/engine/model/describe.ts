/** Derivations and relations in words. */

import type { Derivation, Formula } from './derivation.ts'
import type { Model } from './model.ts'
import { columnsOf, type Relation } from './relation.ts'

export interface DerivedColumn {
  readonly column: string
  /** The columns that determine it. */
  readonly sources: readonly string[]
  /** `weight / height^2 * 10000`, or the determining column. */
  readonly formula: string
  /** Share of the applicable seed rows that follow it; in (0, 1]. */
  readonly share: number
}

/** In the order of the model's columns. */
export function derivedColumns(model: Model): DerivedColumn[] {
  return model.derivations
    .toSorted((a, b) => a.target - b.target)
    .map((one) => {
      const name = (column: number) => model.columns[column]!.name
      const sources = one.kind === 'formula' ? one.sources.map(({ column }) => column) : [one.source]
      return {
        column: name(one.target),
        sources: sources.map(name),
        formula: formulaOf(one, name, model),
        share: one.kind === 'formula' ? one.share : 1,
      }
    })
}

export interface KeptRelation {
  readonly columns: readonly string[]
  /** `start <= end`, or the relation in words. */
  readonly text: string
  /** Share of the applicable seed rows in which it holds; in (0, 1]. */
  readonly share: number
}

/** In the order of the model's columns. */
export function keptRelations({ columns, relations }: Model): KeptRelation[] {
  return relations
    .filter((one) => !(one.kind === 'bound' && one.isDeclared))
    .map((one) => {
      const indices = columnsOf(one)
      const names = indices.map((column) => columns[column]!.name)
      const share = one.kind === 'equality' ? one.share : 1
      return { first: Math.min(...indices), columns: names, text: relationText(one, names), share }
    })
    .sort((a, b) => a.first - b.first)
    .map(({ first: _, ...relation }) => relation)
}

function relationText(relation: Relation, names: readonly string[]): string {
  if (relation.kind === 'equality') return `${names[0]} = ${names[1]}`
  if (relation.kind === 'distinct') {
    return `${names.join(', ')} ${
      relation.isPermutation ? `hold each of their ${names.length} levels once` : 'never have the same level'
    }`
  }
  const { terms, most, strict } = relation
  const less = strict ? '<' : '<='
  const side = (sign: 1 | -1) =>
    terms.flatMap(({ weight }, j) => (sign * weight > 0 ? [times(sign * weight, names[j]!)] : [])).join(' + ')
  const right = [side(-1), ...(most === 0 ? [] : [short(most)])].filter((part) => part !== '').join(' + ')
  return `${side(1)} ${less} ${right}`
}

function formulaOf(derivation: Derivation, name: (column: number) => string, model: Model): string {
  if (derivation.kind === 'recoding') return `decided by ${name(derivation.source)}`
  if (derivation.form === 'mean') return meanText(derivation, name)
  const text = derivation.form === 'sum' ? sumText(derivation, name) : productText(derivation, name)
  const column = model.columns[derivation.target]!
  const decimals = column.kind === 'numeric' && column.format === null ? column.decimals : null
  if (derivation.rounding === 'down') return `${text}, rounded down${decimals ? ` to ${decimals} decimals` : ''}`
  return text
}

function meanText({ sources, least = 1 }: Formula, name: (column: number) => string): string {
  const items = sources.map(({ column }) => name(column)).join(', ')
  return `mean of those of ${items} that have a value, at least ${least}`
}

function sumText({ sources, constant }: Formula, name: (column: number) => string): string {
  const ordered = [...sources.filter(({ weight }) => weight > 0), ...sources.filter(({ weight }) => weight < 0)]
  const parts = ordered.map(({ column, weight }) => [weight < 0, times(Math.abs(weight), name(column))] as const)
  if (constant !== 0) parts.push([constant < 0, short(Math.abs(constant))])
  return parts.map(([minus, part], i) => (i === 0 ? (minus ? '-' : '') : minus ? ' - ' : ' + ') + part).join('')
}

function productText({ sources, constant }: Formula, name: (column: number) => string): string {
  const above = sources.filter(({ weight }) => weight > 0)
  const below = sources.filter(({ weight }) => weight < 0)
  const power = ({ column, weight }: Formula['sources'][number]) =>
    Math.abs(weight) === 1 ? name(column) : `${name(column)}^${Math.abs(weight)}`
  const factors = [...(constant === 1 && above.length > 0 ? [] : [short(constant)]), ...above.map(power)]
  return [factors.join(' * '), ...below.map(power)].join(' / ')
}

/** A weight of 1 / n for a whole number n is written as a division. */
function times(weight: number, name: string): string {
  if (weight === 1) return name
  const inverse = Number((1 / weight).toPrecision(12))
  return weight < 1 && inverse < 1e6 && short(inverse).length < short(weight).length
    ? `${name} / ${short(inverse)}`
    : `${short(weight)} * ${name}`
}

function short(value: number): string {
  return String(Number(value.toPrecision(12)))
}
