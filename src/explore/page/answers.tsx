import { numberWord } from '../../answers/words/quantile-text.ts'
import type { Answered, AskedFigure, Conditions, ExploredAnswer, ProposedMix, Refused } from '../wire/messages.ts'
import { Name } from './name.tsx'

interface AnswersProps {
  readonly reply: Answered | Refused | null
  readonly isWaiting: boolean
  /** Sets the levers to the nearest mix. */
  readonly moveTo: (mix: Conditions) => void
}

/** The figures of the newest scenario, in the report's words; the difference first, which a phone has room for. */
export function Answers({ reply, isWaiting, moveTo }: AnswersProps) {
  if (reply === null) return <p class="note">Asking …</p>
  if (reply.kind === 'refused') return <p class="fault">{reply.message}</p>
  return (
    <div class={isWaiting ? 'waiting' : ''}>
      <p>
        Effective rows: <strong>{reply.effectiveRows?.words ?? 'not told'}</strong> ({reply.support}){' '}
        {reply.effectiveRows !== null && (
          <meter min={0} max={1} value={reply.effectiveRows.part} aria-label="Effective rows, as a part of all rows" />
        )}
      </p>
      {reply.shortfall !== null && <p class="fault">A run would have fewer rows than 1,000: {reply.shortfall}</p>}
      {reply.nearest !== null && <Nearest mix={reply.nearest} isWaiting={isWaiting} moveTo={moveTo} />}
      {reply.where !== null && (
        <p>
          <bdi>{`${reply.where[0]!.toUpperCase()}${reply.where.slice(1)}.`}</bdi>
        </p>
      )}
      {reply.gaps.map((gap) => (
        <p key={gap} class="fault">
          {gap}
        </p>
      ))}
      {reply.answers.length === 0 ? (
        <p class="fault">No figures: too few rows of the seed stand behind this scenario.</p>
      ) : (
        <AnswerTable label="Figures" answers={reply.answers} />
      )}
    </div>
  )
}

function Nearest({
  mix,
  isWaiting,
  moveTo,
}: { readonly mix: ProposedMix } & Pick<AnswersProps, 'isWaiting' | 'moveTo'>) {
  const move = () => {
    // The button goes with the reason, and a keyboard must not lose its place.
    document.getElementById('answers')?.focus()
    moveTo(mix.conditions)
  }
  return (
    <div class="nearest">
      <p>{mix.words}</p>
      {mix.lines.map((line) => (
        <p key={line}>
          <code dir="auto">{line}</code>
        </p>
      ))}
      <button type="button" disabled={isWaiting} onClick={move}>
        Move the levers there
      </button>
    </div>
  )
}

/** In the report's words. */
export const figureName = ({ column, level, quantile }: AskedFigure) => (
  <>
    {level === null && `${numberWord(quantile === undefined ? null : String(quantile))} of `}
    <Name text={column} />
    {level !== null && (
      <>
        {' '}
        <bdi>{level}</bdi>
      </>
    )}
  </>
)

export const figureKey = ({ column, level, quantile }: AskedFigure): string => JSON.stringify([column, level, quantile])

export function AnswerTable({
  label,
  answers,
}: {
  readonly label: string
  readonly answers: readonly ExploredAnswer[]
}) {
  const widest = widestOf(answers)
  const isMarked = answers.some(({ marks }) => marks.length > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Difference</th>
            <th scope="col">95 % interval</th>
            <td />
            <th scope="col">Baseline</th>
            <th scope="col">Scenario</th>
            <th scope="col">Beyond chance</th>
            <th scope="col">Base</th>
            {isMarked && (
              <th scope="col" class="marks">
                Notes
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {answers.map((answer) => (
            <tr key={figureKey(answer)} class={answer.beyond === 'yes' ? 'beyond' : ''}>
              <th scope="row">{figureName(answer)}</th>
              <td>{answer.difference}</td>
              <td>{answer.interval || '–'}</td>
              <td>
                <Picture answer={answer} widest={widest(answer)} />
              </td>
              <td>{answer.from}</td>
              <td>{answer.to}</td>
              <td>{answer.beyond}</td>
              <td>{answer.base ?? '–'}</td>
              {isMarked && <td class="marks">{answer.marks.join(', ')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Shares have one scale, each mean its own. */
function widestOf(answers: readonly ExploredAnswer[]): (answer: ExploredAnswer) => number {
  const reach = ({ drawn }: ExploredAnswer) =>
    drawn === null ? 0 : Math.max(Math.abs(drawn.low), Math.abs(drawn.high))
  const shares = Math.max(0, ...answers.filter(({ level }) => level !== null).map(reach))
  return (answer) => (answer.level === null ? reach(answer) : shares)
}

/** The difference as a point and its interval as a line, beside no difference. */
function Picture({ answer: { drawn }, widest }: { readonly answer: ExploredAnswer; readonly widest: number }) {
  if (drawn === null || widest === 0) return null
  const at = (value: number): number => 50 + (value / widest) * 46
  return (
    <svg class="interval" aria-hidden="true" viewBox="0 0 100 16" width="80" height="13">
      <line class="zero" x1={50} y1={0} x2={50} y2={16} />
      <line x1={at(drawn.low)} y1={8} x2={at(drawn.high)} y2={8} />
      <circle cx={at(drawn.difference)} cy={8} r={3} />
    </svg>
  )
}
