import { describe, expect, it } from 'vitest'
import { ReplyStream } from '../../src/client/reply-stream.ts'

/** A body whose connection records its requests. */
function flowing() {
  const asked: string[] = []
  const body: ReplyStream = new ReplyStream({
    pause: () => asked.push('pause'),
    resume: () => asked.push('resume'),
    drop: (error) => {
      asked.push('drop')
      body.fail(error)
    },
  })
  return { body, asked }
}

const piece = (bytes: number) => Buffer.alloc(bytes, 'x')

async function sizes(body: ReplyStream): Promise<number[]> {
  const seen: number[] = []
  for await (const { length } of body) seen.push(length)
  return seen
}

describe('the body of an answer', () => {
  it('is read in the pieces that arrived before and during the reading', async () => {
    const { body, asked } = flowing()
    body.push(piece(1))
    const read = sizes(body)
    body.push(piece(2))
    await Promise.resolve()
    body.push(piece(3))
    body.end()
    expect(await read).toEqual([1, 2, 3])
    expect(asked).toEqual([])
  })

  it('pauses its connection while much of it is unread, and resumes it when all of it was read', async () => {
    const { body, asked } = flowing()
    body.push(piece(60_000))
    expect(asked).toEqual([])
    body.push(piece(60_000))
    expect(asked).toEqual(['pause'])
    const reader = body[Symbol.asyncIterator]()
    await reader.next()
    expect(asked).toEqual(['pause'])
    await reader.next()
    expect(asked).toEqual(['pause', 'resume'])
  })

  it('that breaks off is an error to its reader', async () => {
    const { body } = flowing()
    const read = sizes(body)
    body.push(piece(1))
    body.fail(new Error('reset'))
    await expect(read).rejects.toThrow('reset')
  })

  it('releases its connection once when its reader leaves', async () => {
    const { body, asked } = flowing()
    body.push(piece(1))
    body.push(piece(1))
    for await (const _ of body) break
    expect(asked).toEqual(['drop'])
  })

  it('keeps its connection when it was read to its end, or discarded after it arrived completely', async () => {
    const read = flowing()
    read.body.push(piece(1))
    read.body.end()
    await sizes(read.body)
    const unread = flowing()
    unread.body.push(piece(1))
    unread.body.end()
    unread.body.destroy()
    expect([...read.asked, ...unread.asked]).toEqual([])
  })

  it('passes the reason to its reader when it is destroyed', async () => {
    const { body, asked } = flowing()
    const read = sizes(body)
    body.destroy(new Error('too slow'))
    await expect(read).rejects.toThrow('too slow')
    expect(asked).toContain('drop')
  })
})
