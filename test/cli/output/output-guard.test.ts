import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeJson } from '../../../src/base/text/escape-text.ts'
import { guardStream, hideSecret, writeCommands } from '../../../src/cli/output/output-guard.ts'
import { runnerCommands } from '../runner-commands.ts'

function guarded() {
  const chunks: (string | Uint8Array)[] = []
  const stream = {
    write: (chunk: string | Uint8Array) => {
      chunks.push(chunk)
      return true
    },
  }
  guardStream(stream)
  const text = () => chunks.map((chunk) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).join('')
  return { stream, text }
}

describe('the output of the process', () => {
  it.each([
    { name: 'at the start', written: ['::error::x\n'], shown: ':\\u003aerror::x\n' },
    { name: 'behind white space', written: ['a\n \t\u00a0::error::x\n'], shown: 'a\n \t\u00a0:\\u003aerror::x\n' },
    { name: 'behind a carriage return', written: ['a\r::error::x\n'], shown: 'a\r:\\u003aerror::x\n' },
    { name: 'in two pieces', written: ['  :', ':error::x\n'], shown: '  :\\u003aerror::x\n' },
    { name: 'in the old form, within a line', written: ['"##[add-mask]x"\n'], shown: '"##\\u005badd-mask]x"\n' },
    { name: 'in the old form, in pieces', written: ['a #', '#', '[error]x\n'], shown: 'a ##\\u005berror]x\n' },
    { name: 'in the form of Azure Pipelines', written: ['##vso[task.x]y'], shown: '##vso\\u005btask.x]y' },
  ])('contains no command of the CI system, even if data form one $name', ({ written, shown }) => {
    const { stream, text } = guarded()
    for (const piece of written) stream.write(piece)
    expect(text()).toBe(shown)
    expect(runnerCommands(text())).toEqual([])
  })

  it.each(['a::b\n', 'std::map ::\n', '## heading [x]\n', ' 1 | ::error::\n', 'ends in ::'])(
    'is unchanged: %j',
    (line) => {
      const { stream, text } = guarded()
      stream.write(line)
      expect(text()).toBe(line)
    },
  )

  it('contains no such command, for any text cut at any place', () => {
    const piece = fc.constantFrom(
      '::',
      ':',
      '#',
      '##[',
      '[',
      ']',
      ' ',
      '\n',
      '\r',
      '\u0085',
      'error',
      'add-mask',
      'x',
      'é',
    )
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 12 }), fc.boolean(), (chunks, asBytes) => {
        const { stream, text } = guarded()
        for (const chunk of chunks) stream.write(asBytes ? Buffer.from(chunk.join('')) : chunk.join(''))
        expect(runnerCommands(text())).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it('has the same data inside JSON', () => {
    const data = { '::error::': ['##[add-mask]x', '::'], text: 'a\n::notice::b' }
    const { stream, text } = guarded()
    stream.write(escapeJson(JSON.stringify(data, null, 2)))
    expect(JSON.parse(text())).toEqual(data)
    expect(runnerCommands(text())).toEqual([])
  })

  it('contains an intended command on a line of its own', () => {
    const { stream, text } = guarded()
    stream.write('half a line')
    writeCommands(stream, ['::error::x'])
    stream.write('::error::y\n')
    expect(text()).toBe('half a line\n::error::x\n:\\u003aerror::y\n')
    expect(runnerCommands(text())).toEqual([{ name: 'error', properties: {}, data: 'x' }])
  })

  it('holds none of the registered secrets', () => {
    hideSecret('canary-5d0f81')
    const { stream, text } = guarded()
    stream.write('the service says: canary-5d0f81 is wrong\n')
    expect(text()).toBe('the service says: *** is wrong\n')
  })
})
