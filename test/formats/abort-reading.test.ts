import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { tempFolder } from './temp-folder.ts'

describe('reading that is aborted', () => {
  const folder = tempFolder()
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i},${i % 7},text ${i % 11}`).join('\n')

  it.each([
    { when: 'before it begins', abort: (controller: AbortController) => controller.abort(new Error('given up')) },
    {
      when: 'during the reading',
      abort: (controller: AbortController) => {
        setImmediate(() => controller.abort(new Error('given up')))
      },
    },
  ])('$when rejects with the reason', async ({ when, abort }) => {
    const path = folder.write(`${when.replaceAll(' ', '-')}.csv`, `a,b,c\n${lines}\n`)
    const controller = new AbortController()
    abort(controller)
    const reading = readTable(path, { tempDir: join(folder.path, 'tmp'), signal: controller.signal })
    await expect(reading).rejects.toThrow('given up')
  })
})
