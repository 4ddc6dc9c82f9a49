import { useState } from 'preact/hooks'
import type { Asked, AskedFigure, Matters } from '../wire/messages.ts'
import { FigureChoice } from './figure-choice.tsx'
import { useAnswer } from './use-answer.ts'

interface MattersProps {
  readonly figures: readonly AskedFigure[]
  readonly rows: Pick<Asked, 'where' | 'base'>
}

/** How far each lever moves one figure of the data as they are: a tornado. */
export function WhatMatters({ figures, rows }: MattersProps) {
  const [chosen, choose] = useState<AskedFigure | null>(null)
  const figure = chosen ?? figures[0] ?? null
  const { reply, isWaiting } = useAnswer<Matters>('/matters', figure === null ? null : { figure, ...rows })
  return (
    <>
      <FigureChoice label="Figure" {...{ figures, figure, choose }} />
      {reply === null ? (
        <p class="note">{figure === null ? 'Choose an outcome.' : 'Asking …'}</p>
      ) : reply.kind === 'refused' ? (
        <p class="fault">{reply.message}</p>
      ) : (
        <div class={isWaiting ? 'waiting' : ''}>
          <p>
            <bdi>{reply.of}</bdi>: {reply.from} in the data as they are
          </p>
          <p class="note">{reply.note} What goes with a lever moves with it: a difference is no effect of a cause.</p>
          <Tornado levers={reply.levers} />
        </div>
      )}
    </>
  )
}

function Tornado({ levers }: Pick<Matters, 'levers'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="scroll" aria-label="What matters" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Lever</th>
            <th scope="col">Share</th>
            <th scope="col">Difference</th>
            <th scope="col">95 % interval</th>
            <td />
            <th scope="col">Beyond chance</th>
          </tr>
        </thead>
        <tbody>
          {levers.map(({ name, move, difference, interval, isBeyond, part }) => (
            <tr key={name} class={isBeyond ? 'beyond' : ''}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{move}</td>
              <td>{difference}</td>
              <td>{interval || '–'}</td>
              <td>
                <svg class="interval" aria-hidden="true" viewBox="0 0 100 16" width="80" height="13">
                  <line class="zero" x1={50} y1={0} x2={50} y2={16} />
                  <rect x={50 + Math.min(0, part) * 48} y={3} width={Math.abs(part) * 48} height={10} />
                </svg>
              </td>
              <td>{isBeyond ? 'yes' : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
