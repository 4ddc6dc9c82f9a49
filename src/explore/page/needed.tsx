import { useState } from 'preact/hooks'
import type { Asked, AskedFigure, Conditions, ExploredDataset, Needed } from '../wire/messages.ts'
import { FigureChoice, figureText } from './figure-choice.tsx'
import { figuresOf } from './outcomes.ts'
import { isNumber } from './scenario.ts'
import { useAnswer } from './use-answer.ts'

interface NeededProps {
  readonly dataset: ExploredDataset
  readonly figures: readonly AskedFigure[]
  readonly rows: Pick<Asked, 'where' | 'base'>
  readonly conditions: Conditions
  readonly moveTo: (column: string, level: string, share: number) => void
}

/** Which share of a level moves a figure of the scenario by so much. */
export function WhatIsNeeded({ dataset, figures, rows, conditions, moveTo }: NeededProps) {
  const [chosenFigure, chooseFigure] = useState<AskedFigure | null>(null)
  const [lever, chooseLever] = useState<AskedFigure | null>(null)
  const [by, setBy] = useState('5')
  const figure = chosenFigure ?? figures[0] ?? null
  const levers = figuresOf(
    dataset,
    dataset.columns
      .filter(({ name, levels }) => levels !== null && name !== figure?.column)
      .map(({ name }) => ({ column: name, of: 'shares' })),
  )
  const isShare = figure?.level !== null
  const amount = isNumber(by) ? Number(by) / (isShare ? 100 : 1) : 0
  const question =
    figure === null || lever === null || amount === 0
      ? null
      : { conditions, lever: { column: lever.column, level: lever.level! }, figure, by: amount, ...rows }
  const { reply, isWaiting } = useAnswer<Needed>('/needed', question)
  return (
    <>
      <p class="tools">
        <FigureChoice label="Figure" {...{ figures, figure, choose: chooseFigure }} />
        <label>
          moved by{' '}
          <input
            type="text"
            inputMode="decimal"
            size={6}
            value={by}
            aria-invalid={amount === 0}
            onChange={(event) => setBy(event.currentTarget.value.trim())}
          />
          {isShare && ' points'}
        </label>
        <FigureChoice label="Lever" {...{ figures: levers, figure: lever, choose: chooseLever }} />
      </p>
      {question === null ? (
        <p class="note">{amount === 0 ? 'Type how far: a number other than 0.' : 'Choose a lever.'}</p>
      ) : reply === null ? (
        <p class="note">Asking …</p>
      ) : reply.kind === 'refused' ? (
        <p class="fault">{reply.message}</p>
      ) : (
        <div class={isWaiting ? 'waiting' : ''} aria-live="polite">
          {reply.sentences.map((sentence) => (
            <p key={sentence}>{withIsolated(sentence, figureText(lever!))}</p>
          ))}
          {reply.value !== null && (
            <button type="button" onClick={() => moveTo(lever!.column, lever!.level!, reply.value!)}>
              Move the lever there
            </button>
          )}
        </div>
      )}
    </>
  )
}

/** A name that is written from right to left does not turn the figures beside it. */
function withIsolated(sentence: string, name: string) {
  const at = sentence.indexOf(name)
  if (at < 0) return sentence
  return (
    <>
      {sentence.slice(0, at)}
      <bdi>{name}</bdi>
      {sentence.slice(at + name.length)}
    </>
  )
}
