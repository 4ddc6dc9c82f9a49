import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from '../cli/project-folder.ts'

/** Questions with one answer, as a survey service exports them by option; `skipped` of ten people leave one out. */
const QUESTIONS = [
  { text: 'Gender', options: ['Male', 'Female'], skipped: 1 },
  { text: 'Age', options: ['18-29', '30-44', '45-60', 'Over 60'], skipped: 1 },
  { text: 'Income', options: ['Under 25k', '25k to 50k', '50k to 100k', '100k and more'], skipped: 3 },
  { text: 'Region', options: ['North', 'South', 'East', 'West', 'Centre'], skipped: 1 },
] as const
const ROWS = 1_500

interface Survey {
  readonly csv: string
  /** Question → answer, empty where skipped → rows. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** People who skip one question often skip the number as well, which few others do. */
function survey(): Survey {
  let state = 5
  const draw = (n: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * n)
  }
  const counts = new Map(QUESTIONS.map(({ text }) => [text as string, new Map<string, number>()]))
  const lines = Array.from({ length: ROWS }, () => {
    const isShy = draw(8) === 0
    const cells = QUESTIONS.flatMap(({ text, options, skipped }) => {
      // Later answers of a question are rarer.
      const at =
        (isShy && text !== 'Region') || draw(20) < skipped
          ? -1
          : Math.min(draw(options.length), draw(options.length + 1))
      const tally = counts.get(text)!
      const answer = options[at] ?? ''
      tally.set(answer, (tally.get(answer) ?? 0) + 1)
      return options.map((option, i) => (i === at ? option : ''))
    })
    return [...cells, isShy && draw(3) > 0 ? '' : draw(90)].join(',')
  })
  const first = QUESTIONS.flatMap(({ text, options }) => options.map((_, i) => (i === 0 ? text : '')))
  const second = QUESTIONS.flatMap(({ options }) => options)
  return {
    csv: `${[[...first, 'Visits'].join(','), [...second, 'Response'].join(','), ...lines].join('\n')}\n`,
    counts,
  }
}

const STUDY = `version: 1
name: expanded
datasets: { panel: { file: panel.csv } }
defaults: { rows: 4000, seed: 2, format: csv }
scenarios:
  as-is: {}
  women: { shares: { Gender: { Female: 0.6 } } }
`

describe('questions with one answer that are exported as a column per option', () => {
  const { csv, counts } = survey()
  let project: Project
  let rows: ReadonlyMap<string, string>[]
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('panel.csv', csv)
    await project.write('e.study.yaml', STUDY)
    const { code, stderr } = await project.whatif(['run', 'e.study.yaml'])
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    const [header = '', ...lines] = (await project.read('out/expanded/as-is.csv')).trimEnd().split('\r\n')
    rows = lines.map((line) => new Map(line.split(',').map((cell, at) => [header.split(',')[at]!, cell])))
  })
  afterAll(() => project.remove())

  it('are one column each, so that nobody has two answers', () => {
    expect([...rows[0]!.keys()]).toEqual(['Gender', 'Age', 'Income', 'Region', 'Visits'])
  })

  it('have the shares of the survey, also of those who skipped them', () => {
    for (const [question, answers] of counts) {
      for (const [answer, count] of answers) {
        const found = rows.filter((row) => row.get(question) === answer).length / rows.length
        // Three standard errors of 4,000 rows are 0.024.
        expect([question, answer, Math.abs(found - count / ROWS) < 0.024]).toEqual([question, answer, true])
      }
    }
  })

  it('are conditioned like any column', async () => {
    const women = (await project.read('out/expanded/women.csv')).trimEnd().split('\r\n').slice(1)
    const answered = women.filter((line) => !line.startsWith(','))
    expect(answered.filter((line) => line.startsWith('Female,')).length).toBe(2400)
  })

  it('keep their boxes where one of them has a declared type', async () => {
    await project.write(
      'b.study.yaml',
      STUDY.replace('panel.csv }', 'panel.csv, types: { "Gender / Male": categorical } }').replace(/ {2}women.*\n/, ''),
    )
    const { stdout } = await project.whatif(['inspect', 'b.study.yaml'])
    expect(stdout).toMatch(/^ {2}Gender\.Male /m)
    expect(stdout).toMatch(/^ {2}Age /m)
  })
})
