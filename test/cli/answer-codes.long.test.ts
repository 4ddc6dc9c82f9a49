import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeProject, type Project } from './project-folder.ts'

let project: Project
beforeEach(async () => {
  project = await makeProject({ sharesProcess: true })
})
afterEach(() => project.remove())

/** Answers of 300 people: a scale from `least` to 5, and a recommendation from `least` to 10. */
function wave(least: number): string {
  const within = (value: number, most: number) => Math.max(least, (value % most) + 1)
  const rows = Array.from(
    { length: 300 },
    (_, i) => `${within(i * 3, 5)},${Math.max(least - 1, (i * 7) % 11)},${i % 2 ? 'no' : 'yes'}`,
  )
  return `service,recommend,member\n${rows.join('\n')}\n`
}

/** A study by hand: it declares nothing about the file. */
const study = (more = '') => `version: 1
name: waves
datasets: { panel: { file: panel.csv } }
defaults: { rows: 100, seed: 1 }
scenarios:
  base: {}
  content: { shares: { service: { "5": 0.6 } } }
  promoters: { ranges: { recommend: { min: 9 } } }
comparisons:
  - { id: lift, scenarios: [content], against: base, shares: [member], means: [recommend] }
${more}`

async function whatif(...args: string[]) {
  const { code, stdout, stderr } = await project.whatif(args)
  return { code, text: stdout + stderr }
}

describe('a study by hand that runs every month', () => {
  it('reads answer codes as it uses them, whichever of them occur', async () => {
    await project.write('w.study.yaml', study())
    await project.write('panel.csv', wave(1))
    expect(await whatif('run', 'w.study.yaml')).toMatchObject({ code: 0 })
    // Nobody ticked 1 of the scale, nor 0 of the recommendation.
    await project.write('panel.csv', wave(2))
    const second = await whatif('run', 'w.study.yaml')
    expect(second).toMatchObject({ code: 0 })
    expect(second.text).toContain('dataset panel: training again with service, recommend as the study uses them\n')
    const plan = await whatif('plan', 'w.study.yaml')
    expect(plan).toMatchObject({ code: 0 })
    expect(plan.text).toMatch(/up to date\n.*reuse 3/s)
    expect((await whatif('validate', 'w.study.yaml')).text).toContain(
      'declare it in the dataset: `types: { service: ordinal, recommend: numeric }`',
    )
    // On another machine, which has the lock alone.
    expect(await whatif('lock', 'w.study.yaml')).toMatchObject({ code: 0 })
    for (const folder of ['.whatif', 'out']) await rm(project.path(folder), { recursive: true })
    expect(await whatif('run', 'w.study.yaml', '--locked')).toMatchObject({ code: 0 })
  })

  it('is inspected as it was trained, also after the service has lost the dataset', async () => {
    await project.write('w.study.yaml', study())
    await project.write('panel.csv', wave(2))
    expect(await whatif('run', 'w.study.yaml')).toMatchObject({ code: 0 })
    const kinds = async () => {
      const { stdout } = await project.whatif(['inspect', 'w.study.yaml#panel', '--json'])
      const { schema } = JSON.parse(stdout).data
      return Object.fromEntries(schema.map(({ name, type }: { name: string; type: string }) => [name, type]))
    }
    const trained = await kinds()
    expect(trained).toMatchObject({ service: 'categorical', recommend: 'numeric' })
    await rm(project.path('.whatif/embedded'), { recursive: true })
    expect(await kinds()).toEqual(trained)
    // The run takes the dataset that was made for that, because it has the same key.
    const checked = await whatif('validate', 'w.study.yaml')
    expect(checked).toMatchObject({ code: 0 })
    expect(checked.text).not.toContain('waiting for training')
  })

  it('names the declaration where it may train no further dataset', async () => {
    await project.write('w.study.yaml', study('budget: { new_datasets_per_run: 1 }\n'))
    await project.write('panel.csv', wave(2))
    const { code, text } = await whatif('run', 'w.study.yaml')
    expect({ code, text }).toMatchObject({ code: 4 })
    expect(text).toContain('for shares of its values, declare `types: { service: ordinal }`')
    expect(text).not.toContain('training again')
  })
})
