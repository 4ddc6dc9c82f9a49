import { expect, it } from 'vitest'
import { report } from '../../src/report/report.ts'

import { exampleManifest } from '../answers/example-manifest.ts'
import { compared, liftManifest, mean, share } from './example-answers.ts'

/** The answers of the comparisons, at the top of a report. */
const topOf = (markdown: string) => /### What `[\s\S]*?\n(?=## )/.exec(markdown)?.[0]

it('a Markdown report begins with the answers of its comparisons', () => {
  const more = compared(
    { intent: { Yes: share(0.3469, 0.4729, 0.0179), No: share(0.3, 0.31, 0.02) } },
    { spend: mean(21.3, 28.41, 0.75) },
  )
  expect(topOf(report(liftManifest({ more })))).toBe(`### What \`lift\` against \`base\` says

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
    '### What `lift` against `base` says\n\nNone of 2 differences is beyond chance.\n\n',
  )
})

it('a Markdown report has no answers without comparisons', () => {
  expect(report(exampleManifest())).not.toContain('### What `')
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
