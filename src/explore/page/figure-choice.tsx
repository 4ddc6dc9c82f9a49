import type { AskedFigure, ExploredDataset } from '../wire/messages.ts'

interface ChoiceProps {
  readonly label: string
  readonly dataset: ExploredDataset
  /** Columns that can be chosen. */
  readonly columns: readonly string[]
  /** Whether means can be chosen, too. */
  readonly hasMeans: boolean
  readonly figure: AskedFigure | null
  readonly choose: (figure: AskedFigure) => void
}

/** Levels of a column that a list names; the rarer ones are many. */
const MOST_LISTED = 30

/** A share of a level, or the mean of a column. */
export function FigureChoice({ label, dataset, columns, hasMeans, figure, choose }: ChoiceProps) {
  const figures = figuresOf(dataset, columns, hasMeans)
  const chosen = figures.findIndex(({ column, level }) => column === figure?.column && level === figure.level)
  return (
    <label>
      {label}{' '}
      <select
        aria-label={label}
        value={String(chosen)}
        onChange={(event) => choose(figures[Number(event.currentTarget.value)]!)}
      >
        {chosen < 0 && <option value="-1">choose</option>}
        {figures.map(({ column, level }, i) => (
          <option key={i} value={String(i)}>
            {level === null ? `mean of ${column}` : `${column} ${level}`}
          </option>
        ))}
      </select>
    </label>
  )
}

export const figuresOf = (
  dataset: ExploredDataset,
  columns: readonly string[],
  hasMeans: boolean,
): readonly AskedFigure[] =>
  columns.flatMap((name): AskedFigure[] => {
    const column = dataset.columns.find((one) => one.name === name)
    if (column === undefined) return []
    if (column.levels === null) return hasMeans ? [{ column: name, level: null }] : []
    return column.levels.slice(0, MOST_LISTED).map((level) => ({ column: name, level: level.name }))
  })
