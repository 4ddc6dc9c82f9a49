import type { GatesPatch, ScenarioPatch } from './scenario-patch.ts'

/** The values that a patch sets, as paths: whole columns, or single levels and bounds for an axis with `set`. */
export function leafPaths(patch: ScenarioPatch): readonly (readonly string[])[] {
  const paths: string[][] = []
  for (const field of ['dataset', 'rows', 'seed', 'format', 'partial', 'tags'] as const) {
    if (patch[field] !== undefined) paths.push([field])
  }
  for (const [column, condition] of patch.shares) {
    if (!patch.isLeaf || condition === null) paths.push(['shares', column])
    else for (const level of condition.shares.keys()) paths.push(['shares', column, level])
  }
  for (const [column, condition] of patch.ranges) {
    if (!patch.isLeaf || condition === null) paths.push(['ranges', column])
    if (!patch.isLeaf || condition === null) continue
    if (condition.min !== undefined) paths.push(['ranges', column, 'min'])
    if (condition.max !== undefined) paths.push(['ranges', column, 'max'])
  }
  for (const name of ['expect', 'warn'] as const) paths.push(...gatePaths(name, patch[name]))
  return paths
}

function gatePaths(name: string, gates: GatesPatch): string[][] {
  const paths: string[][] = []
  if (gates.fillMin !== undefined) paths.push([name, 'fill', 'min'])
  if (gates.tolerance !== undefined) paths.push([name, 'shares', 'tolerance'])
  for (const column of gates.columns.keys()) paths.push([name, 'shares', 'columns', column])
  if (gates.outsideMax !== undefined) paths.push([name, 'ranges', 'outside_max'])
  return paths
}
