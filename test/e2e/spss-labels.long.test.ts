import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { type SavSpec, savBytes } from '../formats/sav-bytes.ts'

const QUESTION = 'How satisfied are you with the service?'
const HOSTILE = 'Age | `x` <script>alert(1)</script>\u001b[31m\u202e'

/** 600 respondents; 12 of them have a region without a label. */
const SPEC: SavSpec = {
  variables: [
    {
      name: 'SAT',
      label: QUESTION,
      labels: [
        [1, 'Low'],
        [2, 'Middle'],
        [3, 'High'],
        [9, 'No answer'],
      ],
      missing: { count: 1, values: [9] },
    },
    {
      name: 'REGION',
      labels: [
        [1, 'North'],
        [2, 'South'],
        [3, 'East'],
        [4, 'West'],
      ],
    },
    { name: 'AGE', label: HOSTILE },
    { name: 'SPEND', width: 8, label: `Spend\n${'y'.repeat(3_000)}` },
  ],
  rows: Array.from({ length: 600 }, (_, i) => [
    i % 20 === 0 ? 9 : 1 + ((i * 7) % 3),
    i % 50 === 0 ? 5 : 1 + ((i * 11) % 4),
    18 + ((i * 29) % 63),
    String(((i * 37) % 400) / 4),
  ]),
}

const STUDY = `version: 1
name: panel
datasets: { panel: { file: panel.sav } }
defaults: { rows: 500, seed: 3 }
baseline: as-is
scenarios:
  as-is: {}
  happy:
    shares: { SAT: { High: 0.6 } }
comparisons:
  - { id: lift, scenarios: [happy], shares: [REGION, SAT], means: [AGE] }
`

describe('labels of an SPSS file', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('panel.sav', savBytes(SPEC))
    await project.write('panel.study.yaml', STUDY)
    const { code, stderr } = await project.whatif(['run', 'panel.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })
  afterAll(() => project.remove())

  it('are in the cleaned schema, one line of at most 1 KiB each', async () => {
    const { stdout } = await project.whatif(['inspect', 'panel.sav', '--json'])
    const { schema } = JSON.parse(stdout).data
    const column = (name: string) => schema.find((one: { name: string }) => one.name === name)
    expect(column('SAT')).toMatchObject({ label: QUESTION, levels: expect.arrayContaining(['Low', 'Middle', 'High']) })
    expect(column('SAT').missing_share).toBe(0.05)
    expect(column('REGION')).not.toHaveProperty('label')
    expect(column('REGION').levels).toEqual(expect.arrayContaining(['North', 'South', 'East', 'West', '5']))
    expect(column('SPEND')).toMatchObject({ type: 'numeric', label: `Spend ${'y'.repeat(1_015)}…` })
  })

  it('are shown by "whatif inspect", without terminal control codes', async () => {
    const { stdout } = await project.whatif(['inspect', 'panel.sav'])
    expect(stdout).toContain(`\nLabels\n  SAT: ${QUESTION}\n  AGE: Age | \`x\` <script>alert(1)</script> [31m`)
    for (const unsafe of ['\u001b', '\u202e']) expect(stdout).not.toContain(unsafe)
  })

  it('are in the manifest for the columns that results name, and caption them in the report', async () => {
    const { datasets } = JSON.parse(await project.read('out/panel/manifest.json'))
    expect(Object.keys(datasets.panel.labels)).toEqual(['AGE', 'SAT'])
    const { stdout } = await project.whatif(['report', 'out/panel/manifest.json'])
    expect(stdout).toContain(`\n### Shares of \`SAT\` \`${QUESTION}\`\n`)
    expect(stdout).toMatch(/\n### Mean of `AGE` <code>Age &#124; /)
    expect(stdout).not.toContain('<script>')
  })
})
