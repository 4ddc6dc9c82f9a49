import type { Answered, Distribution, ExploredDataset, Refused } from '../wire/messages.ts'
import { AnswerTable } from './answers.tsx'

interface SpreadProps {
  readonly dataset: ExploredDataset
  /** Empty: none. */
  readonly column: string
  readonly choose: (column: string) => void
  readonly reply: Answered | Refused | null
  readonly isWaiting: boolean
}

/** How the values of a column lie before and after: five quantiles of a number, the shares of levels. */
export function DistributionPanel({ dataset, column, choose, reply, isWaiting }: SpreadProps) {
  const found = reply?.kind === 'answered' && reply.distribution?.column === column ? reply.distribution : null
  return (
    <>
      <label>
        Column{' '}
        <select aria-label="Distribution of" value={column} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">choose</option>
          {dataset.columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {column === '' ? null : found !== null ? (
        <Drawn found={found} />
      ) : isWaiting ? (
        <p class="note">Asking …</p>
      ) : (
        <p class="note">Not known: the answer has no distribution.</p>
      )}
    </>
  )
}

function Drawn({ found }: { readonly found: Distribution }) {
  const { column, answers } = found
  if (answers.length === 0) return <p class="note">Too few seed rows.</p>
  return (
    <>
      <p class="key">
        <svg class="spread" aria-hidden="true" viewBox="0 0 30 12" width="30" height="12">
          <rect class="bar-baseline" x={1} y={1} width={28} height={10} />
        </svg>{' '}
        baseline{' '}
        <svg class="spread" aria-hidden="true" viewBox="0 0 30 12" width="30" height="12">
          <rect class="bar-scenario" x={1} y={1} width={28} height={10} />
        </svg>{' '}
        scenario
      </p>
      {answers[0]!.level === null ? <Boxes found={found} /> : <Bars found={found} />}
      <AnswerTable label={`Distribution of ${column}`} answers={answers} />
    </>
  )
}

const WIDTH = 360

/** A line from the 10 % to the 90 % quantile, a bar between the quartiles, a stroke at the median. */
function Boxes({ found: { before, after } }: { readonly found: Distribution }) {
  if (before.length < 5 || after.length < 5) return null
  const [low, high] = [Math.min(before[0]!, after[0]!), Math.max(before[4]!, after[4]!)]
  const at = (value: number): number => (high > low ? 6 + ((value - low) / (high - low)) * (WIDTH - 12) : WIDTH / 2)
  const box = ([q10, q25, q50, q75, q90]: readonly number[], y: number, kind: string) => (
    <g class={kind}>
      <line x1={at(q10!)} y1={y} x2={at(q90!)} y2={y} />
      <rect class={`bar-${kind}`} x={at(q25!)} y={y - 6} width={Math.max(1, at(q75!) - at(q25!))} height={12} />
      <line class="median" x1={at(q50!)} y1={y - 9} x2={at(q50!)} y2={y + 9} />
    </g>
  )
  return (
    <>
      <svg class="spread" aria-hidden="true" viewBox={`0 0 ${WIDTH} 48`} width={WIDTH} height={48}>
        {box(before, 12, 'baseline')}
        {box(after, 36, 'scenario')}
      </svg>
      <p class="note">The lines reach from the 10 % to the 90 % quantile, the bars between the quartiles.</p>
    </>
  )
}

/** Beside each level an empty bar for the baseline above a full one for the scenario. */
function Bars({ found: { answers, before, after } }: { readonly found: Distribution }) {
  const longest = Math.max(...before, ...after) || 1
  const to = (share: number): number => (share / longest) * (WIDTH / 2)
  return (
    <div aria-hidden="true">
      {answers.map(({ level }, i) => (
        <div key={level} class="bars">
          <bdi class="level">{level}</bdi>
          <svg class="spread" aria-hidden="true" viewBox={`0 0 ${WIDTH / 2} 24`} width={WIDTH / 2} height={24}>
            <rect class="bar-baseline" x={0.5} y={2} width={to(before[i] ?? 0)} height={8} />
            <rect class="bar-scenario" x={0.5} y={13} width={to(after[i] ?? 0)} height={8} />
          </svg>
        </div>
      ))}
    </div>
  )
}
