import { expect, it } from 'vitest'
import { errorText } from '../../../src/cli/output/error-text.ts'

const MESSAGE = 'the file is not a table. Export CSV or Excel instead'

it('an error is on one line in a log', () => {
  expect(errorText(MESSAGE, { isTTY: false, columns: 30 })).toBe(`error: ${MESSAGE}\n`)
})

it('an error is wrapped at the width of a terminal', () => {
  expect(errorText(MESSAGE, { isTTY: true, columns: 30 })).toBe(
    'error: the file is not a\n       table. Export CSV or\n       Excel instead\n',
  )
})
