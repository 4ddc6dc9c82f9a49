import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Refused } from '../wire/messages.ts'
import { ask } from './backend.ts'
import { newestFirst } from './newest-answer.ts'

/**
 * The answer to the newest question. Null as a question asks nothing, and keeps the answer to the one before.
 *
 * @param turn Another one asks the same question again.
 * @returns null until there is one; `isWaiting` while the answer is of an earlier question.
 */
export function useAnswer<Answer>(
  path: string,
  question: unknown,
  turn = 0,
): { readonly reply: Answer | Refused | null; readonly isWaiting: boolean } {
  const [reply, setReply] = useState<Answer | Refused | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const send = useMemo(
    () =>
      newestFirst(
        (one: unknown) => ask<Answer>(path, one),
        (answer) => {
          setReply(answer)
          setWaiting(false)
        },
      ),
    [path],
  )
  const text = question === null ? null : JSON.stringify(question)
  // Before the page is painted: the question is on its way a frame earlier.
  useLayoutEffect(() => {
    if (text === null) return
    setWaiting(true)
    send(JSON.parse(text))
  }, [text, turn])
  return { reply, isWaiting }
}
