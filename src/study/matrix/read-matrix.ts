import { RESULT_FORMATS } from '../../base/result-formats.ts'
import { conditionPaths } from '../conditions/kinds.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { gatePath } from '../gates/gate.ts'
import { axisPath, axisValues } from '../shape/axis-values.ts'
import { patchOf } from '../shape/check-shape.ts'
import {
  childItems,
  childMap,
  childName,
  childNode,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { readPatch, type ScenarioPatch } from './scenario-patch.ts'

export interface Matrix {
  readonly axes: readonly Axis[]
  readonly exclude: readonly Match[]
  readonly override: readonly { readonly match: Match; readonly patch: ScenarioPatch }[]
  readonly include: readonly { readonly id: Located<string>; readonly patch: ScenarioPatch }[]
}

export interface Axis {
  readonly name: Located<string>
  readonly values: readonly { readonly slug: string; readonly patch: ScenarioPatch }[]
}

/** The combinations that an entry matches: indices of axes and of their values. */
export interface Match {
  readonly range: SourceRange
  readonly choices: readonly { readonly axis: number; readonly value: number }[]
}

/** The matrix of a group, with every name in it resolved. Pushes faults to `diagnostics`. */
export function readMatrix(node: LocatedMap, diagnostics: Diagnostic[]): Matrix {
  const axes = childItems(node, 'axes').map(readAxis)
  checkAxes(axes, diagnostics)
  const readMatch = (match: LocatedNode | undefined) => matchOf(match as LocatedMap, axes, diagnostics)
  return {
    axes,
    exclude: childItems(node, 'exclude').map(readMatch),
    override: childItems(node, 'override').map((entry) => ({
      match: readMatch(childNode(entry, 'match')),
      patch: readPatch(childMap(entry, 'set')),
    })),
    include: childItems(node, 'include').map((entry) => ({
      id: childName(entry, 'id')!,
      patch: readPatch(childMap(entry, 'set')),
    })),
  }
}

function readAxis(node: LocatedNode): Axis {
  const path = axisPath(node)
  const values = axisValues(node).map(({ slug, node: value }) => ({
    slug,
    patch: path === null ? readPatch(value as LocatedMap) : readPatch(patchOf(path, value), true),
  }))
  return { name: childName(node, 'name')!, values }
}

function checkAxes(axes: readonly Axis[], diagnostics: Diagnostic[]): void {
  const byName = new Map<string, Axis>()
  /** Path as JSON → the axis that sets it, and the axes that set a part of it. */
  const setBy = new Map<string, Axis>()
  const setBelow = new Map<string, Axis>()
  for (const axis of axes) {
    const twin = byName.get(axis.name.value)
    if (twin === undefined) {
      byName.set(axis.name.value, axis)
    } else {
      diagnostics.push(
        diagnose('S3004', {
          summary: `two axes are called "${axis.name.value}"`,
          range: axis.name.range,
          related: [{ message: 'the other one', range: twin.name.range }],
        }),
      )
    }
    const paths = new Map<string, readonly string[]>()
    for (const { patch } of axis.values) {
      for (const path of leafPaths(patch)) paths.set(JSON.stringify(path), path)
    }
    reportConflict(axis, paths, setBy, setBelow, diagnostics)
    for (const [key, path] of paths) {
      setBy.set(key, axis)
      for (let end = 1; end < path.length; end++) setBelow.set(JSON.stringify(path.slice(0, end)), axis)
    }
    warnOfFormats(axis, diagnostics)
  }
}

/** One message for a pair of axes is enough, however many leaves they share. */
function reportConflict(
  axis: Axis,
  paths: ReadonlyMap<string, readonly string[]>,
  setBy: ReadonlyMap<string, Axis>,
  setBelow: ReadonlyMap<string, Axis>,
  diagnostics: Diagnostic[],
): void {
  for (const [key, path] of paths) {
    const above = path.map((_, index) => setBy.get(JSON.stringify(path.slice(0, index + 1))))
    const other = above.find((found) => found !== undefined) ?? setBelow.get(key)
    if (other === undefined) continue
    diagnostics.push(
      diagnose('S4104', {
        summary: `axes "${other.name.value}" and "${axis.name.value}" both set ${path.join(' → ')}`,
        range: axis.name.range,
        related: [{ message: 'the other axis', range: other.name.range }],
      }),
    )
    return
  }
}

function warnOfFormats(axis: Axis, diagnostics: Diagnostic[]): void {
  const formats = new Set(
    axis.values
      .map((value) => value.patch.format?.value)
      .filter((format) => format !== undefined)
      .map((format) => RESULT_FORMATS[format].artifact),
  )
  if (formats.size < 2) return
  diagnostics.push(
    diagnose('W4201', {
      summary: `axis "${axis.name.value}": ${formats.size} formats = ${formats.size} billed generations`,
      range: axis.name.range,
      detail: 'convert the file locally instead',
    }),
  )
}

function matchOf(node: LocatedMap, axes: readonly Axis[], diagnostics: Diagnostic[]): Match {
  const choices: { axis: number; value: number }[] = []
  const first = node.entries.values().next().value
  for (const entry of node.entries.values()) {
    const axisIndex = axes.findIndex((axis) => axis.name.value === entry.key)
    const axis = axes[axisIndex]
    if (axis === undefined) {
      const names = axes.map((a) => a.name.value)
      diagnostics.push(
        diagnose('S4101', {
          summary: `there is no axis "${entry.key}"`,
          range: entry.keyRange,
          detail: `axes: ${names.join(', ')}`,
          suggestions: suggest(entry.key, names),
        }),
      )
      continue
    }
    const name = nameText(entry.value)
    const valueIndex = axis.values.findIndex((value) => value.slug === name)
    if (valueIndex >= 0) {
      choices.push({ axis: axisIndex, value: valueIndex })
      continue
    }
    const slugs = axis.values.map((value) => value.slug)
    diagnostics.push(
      diagnose('S4102', {
        summary: `axis "${entry.key}" has no value "${name}"`,
        range: entry.value.range,
        detail: `values: ${slugs.slice(0, 12).join(', ')}${slugs.length > 12 ? ', …' : ''}`,
        suggestions: suggest(name, slugs),
      }),
    )
  }
  return { range: first?.keyRange ?? node.range, choices }
}

/** The values that a patch sets, as paths: whole columns, or single levels and bounds for an axis with `set`. */
export function leafPaths(patch: ScenarioPatch): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = []
  for (const field of ['dataset', 'rows', 'seed', 'replicates', 'format', 'partial', 'tags', 'margins'] as const) {
    if (patch[field] !== undefined) paths.push([field])
  }
  paths.push(...conditionPaths(patch.conditions, patch.isLeaf))
  for (const name of ['expect', 'warn'] as const) paths.push(...patch[name].map((gate) => [name, ...gatePath(gate)]))
  return paths
}
