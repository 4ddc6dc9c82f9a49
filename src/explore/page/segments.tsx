import type { Answered, ExploredDataset, Refused } from '../wire/messages.ts'
import { AnswerTable } from './answers.tsx'
import { canDivide } from './outcomes.ts'

interface SegmentsProps {
  readonly dataset: ExploredDataset
  /** Empty: none. */
  readonly by: string
  readonly setBy: (by: string) => void
  readonly reply: Answered | Refused | null
}

/** The same answers inside each level of a column. */
export function Segments({ dataset, by, setBy, reply }: SegmentsProps) {
  const columns = dataset.columns.filter(canDivide)
  const segments = reply?.kind === 'answered' ? reply.segments : null
  return (
    <>
      <label>
        By{' '}
        <select aria-label="By" value={by} onChange={(event) => setBy(event.currentTarget.value)}>
          <option value="">no segments</option>
          {columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {by !== '' && segments === null && <p class="note">Not known: the answer has no segments.</p>}
      {by !== '' &&
        segments?.map(({ level, answers }) => (
          <div key={level}>
            <h3>
              <bdi>{level}</bdi>
            </h3>
            {answers.length === 0 ? (
              <p class="note">Too few seed rows.</p>
            ) : (
              <AnswerTable label={`Figures of ${level}`} answers={answers} />
            )}
          </div>
        ))}
    </>
  )
}
