import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

const page = readFileSync(new URL('../../docs/study.md', import.meta.url), 'utf8')
const studies = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)

let project: Project
beforeAll(async () => {
  project = await makeProject()
})
afterAll(() => project.remove())

describe('docs/study.md', () => {
  it('has only valid studies without findings', async () => {
    const files = studies.map((_, i) => `s${i}.study.yaml`)
    for (const [i, text] of studies.entries()) await project.write(files[i]!, text)
    await project.write('panel.sav', '')
    await project.write('seeds/panel.csv', 'id\n1\n')
    await project.write('census-2021.csv', /^```csv\n(column,level,share\n[\s\S]*?)^```$/m.exec(page)![1]!)
    const { stdout, code } = await project.whatif(['validate', '--offline', '--strict', '--json', ...files])
    expect(JSON.parse(stdout).diagnostics).toEqual([])
    expect(code).toBe(0)
    expect(files.length).toBeGreaterThanOrEqual(3)
  })

  it('shows each declaration in a study and describes it', () => {
    const schema = JSON.parse(readFileSync(new URL('../../schemas/study.v1.json', import.meta.url), 'utf8'))
    const others = ['file', 'sha256', 'auto_clean', 'display_name', 'dataset_id', 'description']
    const declarations = Object.keys(schema.definitions.dataset.properties).filter((key) => !others.includes(key))
    expect(declarations).toHaveLength(21)
    for (const key of declarations) {
      expect(studies.join('\n')).toMatch(new RegExp(`^    ${key}: `, 'm'))
      expect(page).toMatch(new RegExp(`^\\| \`${key}\` \\|`, 'm'))
    }
  })
})
