import { outcomeText } from '../../report/html/answer-cells.ts'
import type { AskedFigure } from '../wire/messages.ts'

interface ChoiceProps {
  readonly label: string
  readonly figures: readonly AskedFigure[]
  readonly figure: AskedFigure | null
  readonly choose: (figure: AskedFigure) => void
}

/** A share of a level, or the mean or a quantile of a column. */
export function FigureChoice({ label, figures, figure, choose }: ChoiceProps) {
  const wanted = JSON.stringify(figure)
  const chosen = figures.findIndex((one) => JSON.stringify(one) === wanted)
  return (
    <label>
      {label}{' '}
      <select
        aria-label={label}
        value={String(chosen)}
        onChange={(event) => choose(figures[Number(event.currentTarget.value)]!)}
      >
        {chosen < 0 && <option value="-1">choose</option>}
        {figures.map((one, i) => (
          <option key={i} value={String(i)}>
            {figureText(one)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** In the report's words. */
export const figureText = ({ column, level, quantile }: AskedFigure): string =>
  outcomeText({ column, level, quantile: quantile === undefined ? null : String(quantile) })
