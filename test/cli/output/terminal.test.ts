import { afterEach, expect, it, vi } from 'vitest'
import { describeTerminal } from '../../../src/cli/output/terminal.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  [undefined, 80],
  [0, 80],
  [132, 132],
])('a terminal that says it has %s columns has %d', (columns, width) => {
  vi.stubGlobal('process', { stdout: { columns }, stderr: {} })
  expect(describeTerminal({}, {}).width).toBe(width)
})
