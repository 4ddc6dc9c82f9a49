import { useEffect, useState } from 'preact/hooks'
import type { Answered, ExploredDataset, Refused, Reply } from '../wire/messages.ts'
import { figureKey, figureName } from './answers.tsx'
import { ask } from './backend.ts'
import { askedOf, type PageState } from './page-state.ts'
import { conditionsOf } from './scenario.ts'

/** All scenarios of the page, one column each, held against the data as they are. */
export function SideBySide({ state, dataset }: { readonly state: PageState; readonly dataset: ExploredDataset }) {
  const { scenarios, outcomes } = state
  const { by: _, ...asked } = askedOf(state, dataset.columns)
  const questions = scenarios.map(({ levers }) =>
    JSON.stringify({ conditions: conditionsOf(levers, dataset.columns), ...asked }),
  )
  const [known, setKnown] = useState<ReadonlyMap<string, Reply>>(new Map())
  const next = questions.find((question) => !known.has(question))
  useEffect(() => {
    if (next === undefined || outcomes.length === 0) return
    let isWanted = true
    void ask<Answered>('/answers', JSON.parse(next)).then((reply: Answered | Refused) => {
      if (isWanted) setKnown((now) => new Map(now).set(next, reply))
    })
    return () => {
      isWanted = false
    }
  }, [next])
  const replies = questions.map((question) => known.get(question))
  const first = replies.find((reply) => reply?.kind === 'answered')
  if (first?.kind !== 'answered') return <p class="note">Asking …</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="scroll" aria-label="Scenarios side by side" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Baseline</th>
            {scenarios.map(({ name }, i) => (
              <th key={i} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.answers.map((answer) => (
            <tr key={figureKey(answer)}>
              <th scope="row">{figureName(answer)}</th>
              <td>{answer.from}</td>
              {replies.map((reply, i) => (
                <td key={i}>{cellOf(reply, answer)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function cellOf(reply: Reply | undefined, figure: Answered['answers'][number]) {
  if (reply === undefined) return '…'
  if (reply.kind === 'refused') return reply.message
  const answer = reply.answers.find((one) => figureKey(one) === figureKey(figure))
  if (answer === undefined) return '–'
  return (
    <>
      <span class={answer.beyond === 'yes' ? 'strong' : ''}>{answer.difference}</span>
      <br />
      <span class="note">{answer.interval === '' ? answer.marks.join(', ') : answer.interval}</span>
    </>
  )
}
