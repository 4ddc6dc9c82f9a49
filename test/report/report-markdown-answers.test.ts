import { describe, expect, it } from 'vitest'
import { report } from '../../src/report/report.ts'
import { readable } from '../../src/report/report-markdown-segments.ts'
import { exampleManifest } from '../answers/example-manifest.ts'
import { compared, liftManifest, mean, share } from './example-answers.ts'

/** The part of a report between its summary and the table of scenarios. */
const topOf = (markdown: string) => markdown.slice(markdown.indexOf('## '), markdown.indexOf('## Scenarios'))

it('a Markdown report begins with the answers of its comparisons', () => {
  const more = compared(
    { intent: { Yes: share(0.3469, 0.4729, 0.0179), No: share(0.3, 0.31, 0.02) } },
    { spend: mean(21.3, 28.41, 0.75) },
  )
  expect(topOf(report(liftManifest({ more })))).toBe(`## What \`lift\` against \`base\` says

2 of 3 differences are beyond chance. 1 more is within chance.

| Outcome | Scenario | From | To | Difference | 95 % interval | Marks |
| --- | --- | ---: | ---: | ---: | ---: | --- |
| \`intent\` \`Yes\` | \`more\` | 34.7 % | 47.3 % | +12.6 points | 9.1 to 16.1 |  |
| \`spend\` mean | \`more\` | 21.3 | 28.4 | +7.1 | 5.6 to 8.6 |  |

`)
})

it('a Markdown report says in a sentence that nothing is beyond chance', () => {
  const flat = compared({ intent: { Yes: share(0.3, 0.31, 0.02), No: share(0.7, 0.69, 0.02) } })
  expect(topOf(report(liftManifest({ flat })))).toBe(
    '## What `lift` against `base` says\n\nNone of 2 differences is beyond chance.\n\n',
  )
})

it('a Markdown report has no answers without comparisons', () => {
  expect(topOf(report(exampleManifest()))).toBe('')
})

it('a Markdown report escapes names, wherever they occur', () => {
  const name = '<b>|`x`'
  const segment = {
    level: name,
    rows: { scenario: 9, against: 9 },
    shares: { [name]: { [name]: share(0.3, 0.5, 0.02) } },
    means: {},
  }
  const one = { ...compared({ [name]: { [name]: share(0.3, 0.5, 0.02) } }), segments: [segment] }
  const top = topOf(report(liftManifest({ [name]: one }, { against: name, by: name })))
  expect(top).not.toContain('<b>')
  expect(top).not.toContain('`x`')
  expect(top).toContain(
    'By <code>&#60;b&#62;&#124;&#96;x&#96;</code>: 1 of 1 differences inside segments is beyond chance.',
  )
})

describe('figures of the tables', () => {
  it.each([
    [47.2792958393, 47.2793],
    [-8.70212221035, -8.7021],
    [0.000123456, 0.0001235],
    [1_234_567.891, 1_234_567.891],
    [57, 57],
    [0, 0],
  ])('%d is told as %d', (figure, told) => {
    expect(readable(figure)).toBe(told)
  })
})
