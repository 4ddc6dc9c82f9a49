import { resolve } from 'node:path'
import type { Plan } from '../../plan/plan.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunContext } from '../session/run-context.ts'
import { seedPlaces } from './seed-places.ts'

/**
 * Refuses work that would be bought and then could not be stored, because a folder, a link or a pipe stands in the place
 * of its artifact, or a seed file. Another regular file there is judged when the artifact's hash is known: it may be that
 * very artifact.
 */
export async function requirePlaces(context: RunContext, plan: Plan): Promise<void> {
  const { places, options, env } = context
  const bought = plan.scenarios.filter((s) => s.rowsBound > 0 && !context.ends.has(s.id))
  if (bought.length === 0) return
  const folder = places.outputFolder
  const entries = await env.fs.readdir(folder, { withFileTypes: true })
  const seeds = await seedPlaces(context)
  for (const { id, path } of bought) {
    if (!(await seeds.has(resolve(places.anchor, path)))) continue
    const said = `nothing was sent, because ${path} is a seed file of this study, and the result of ${id} would replace it`
    throw new RunRefusalError(
      'usage',
      'place_taken',
      `${said}. Give the scenario another name, or the study another output.dir`,
    )
  }
  const kinds = new Map(entries.map((e) => [resolve(folder, e.name), e.isFile() ? null : kindOf(e)]))
  const inTheWay = bought.flatMap(({ path }) => {
    const place = kinds.get(resolve(places.anchor, path)) ?? null
    // What is no folder is removed there by the run: the name is its own.
    const part = kinds.get(resolve(places.anchor, `${path}.part`)) ?? null
    return [
      ...(place === null || (options.overwrite && place !== FOLDER) ? [] : [`${path} is ${place}`]),
      ...(part === FOLDER ? [`${path}.part is ${part}`] : []),
    ]
  })
  if (inTheWay.length === 0) return
  const remedy = options.overwrite ? '' : ', or pass --overwrite to replace what is no folder'
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because results could not be put in their places: ${inTheWay.join('; ')}. Move that away${remedy}`,
  )
}

const FOLDER = 'a folder'

function kindOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): string {
  if (entry.isDirectory()) return FOLDER
  return entry.isSymbolicLink() ? 'a symbolic link' : 'no regular file'
}
