import { mkdir, symlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeProject, type Project, shortTracker } from '../cli/project-folder.ts'

const STUDY = `version: 1
name: grid
datasets:
  panel: { file: panel.csv }
defaults: { rows: 20, seed: 1, format: csv, expect: { fill: { min: 1 } } }
baseline: as-is
scenarios:
  as-is: {}
${Array.from({ length: 39 }, (_, i) => `  s${i}: { shares: { loyalty.member: { "Yes": ${(i + 1) / 40} } } }`).join('\n')}
comparisons:
  - { id: lift, scenarios: [s9, s19, s29], shares: [purchase.intent] }
`

/** A project as a scheduler meets it: a study of 40 scenarios, with whatif installed. */
export async function makeGridProject(): Promise<Project> {
  const project = await makeProject()
  await project.write('panel.csv', shortTracker(['loyalty_member', 'purchase_intent']))
  await project.write('grid.study.yaml', STUDY)
  await mkdir(project.path('node_modules/.bin'), { recursive: true })
  await symlink(resolve(import.meta.dirname, '../../bin/whatif.js'), project.path('node_modules/.bin/whatif'))
  return project
}

export const RECIPES = resolve(import.meta.dirname, '../../examples/schedulers')

/** Waits until `find` gives something; fails with what `report` says after two minutes. */
export async function until<T>(find: () => Promise<T | null>, report: () => string): Promise<T> {
  const end = performance.now() + 120_000
  while (performance.now() < end) {
    const found = await find()
    if (found !== null) return found
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error(`nothing after two minutes: ${report()}`)
}
