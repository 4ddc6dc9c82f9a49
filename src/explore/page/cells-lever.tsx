import { useState } from 'preact/hooks'
import type { ExploredColumn, ExploredDataset, NaturalCells } from '../wire/messages.ts'
import { type CellTable, cellKey, withCell, withoutTable, withTable } from './cells.ts'
import type { ChangeLevers } from './levers.tsx'
import { Name } from './name.tsx'
import { isNumber, type Scenario } from './scenario.ts'
import { useAnswer } from './use-answer.ts'

/** Nobody types more of them. */
const MOST_LEVELS = 12

interface CellsProps {
  readonly dataset: ExploredDataset
  readonly scenario: Scenario
  readonly change: ChangeLevers
}

/** Shares of the levels of two columns together: those that are typed hold, and the others take the rest. */
export function CellsLever({ dataset, scenario, change }: CellsProps) {
  const [chosen, choose] = useState<readonly [string, string]>(['', ''])
  const columns = dataset.columns.filter(
    ({ levels }) => levels !== null && levels.length >= 2 && levels.length <= MOST_LEVELS,
  )
  if (columns.length < 2) return null
  const [first, second] = chosen
  const add = () => {
    change((now) => ({ ...now, cells: withTable(now.cells, chosen) }))
    choose(['', ''])
  }
  const columnOf = (name: string) => columns.find((column) => column.name === name)
  return (
    <details class="lever" open={scenario.cells.length > 0}>
      <summary>
        Two columns together {scenario.cells.some(({ shares }) => shares.size > 0) && <span class="moved">moved</span>}
      </summary>
      <p class="tools">
        <ColumnChoice
          label="Rows of the table"
          columns={columns}
          name={first}
          choose={(name) => choose([name, second])}
        />
        <ColumnChoice
          label="Columns of the table"
          columns={columns.filter(({ name }) => name !== first)}
          name={second}
          choose={(name) => choose([first, name])}
        />
        <button type="button" disabled={first === '' || second === '' || first === second} onClick={add}>
          Show their table
        </button>
      </p>
      {scenario.cells.map((table) => {
        const [rows, across] = table.columns.map(columnOf)
        return rows === undefined || across === undefined ? null : (
          <CellsTable key={table.columns.join('\n')} {...{ table, rows, across, change }} />
        )
      })}
    </details>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly columns: readonly ExploredColumn[]
  readonly name: string
  readonly choose: (name: string) => void
}

function ColumnChoice({ label, columns, name, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={name} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">{label}</option>
      {columns.map((column) => (
        <option key={column.name} value={column.name}>
          {column.name}
        </option>
      ))}
    </select>
  )
}

interface TableProps {
  readonly table: CellTable
  readonly rows: ExploredColumn
  readonly across: ExploredColumn
  readonly change: ChangeLevers
}

function CellsTable({ table, rows, across, change }: TableProps) {
  const { columns } = table
  const { reply } = useAnswer<NaturalCells>('/cells', { columns })
  const natural = new Map(
    reply?.kind === 'cells' ? reply.cells.map(({ levels, share }) => [cellKey(levels), share]) : [],
  )
  const title = columns.join(' × ')
  const set = (levels: readonly [string, string], text: string) => {
    if (text === '' || isNumber(text))
      change((now) => ({
        ...now,
        cells: withCell(now.cells, columns, levels, text === '' ? null : Number(text) / 100),
      }))
  }
  return (
    <>
      {reply?.kind === 'refused' && <p class="fault">{reply.message}</p>}
      <p class="caption">
        <Name text={columns[0]} /> × <Name text={columns[1]} />, per cent of all rows
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="scroll" aria-label={`Shares of ${title}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {across.levels?.map(({ name }) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.levels?.map(({ name: row }) => (
              <tr key={row}>
                <th scope="row">
                  <bdi>{row}</bdi>
                </th>
                {across.levels?.map(({ name: column }) => {
                  const key = cellKey([row, column])
                  const held = table.shares.get(key)
                  const own = natural.get(key)
                  return (
                    <td key={column}>
                      <input
                        type="number"
                        class="cell"
                        min="0"
                        max="100"
                        step="any"
                        value={held === undefined ? '' : String(Number((held * 100).toFixed(2)))}
                        placeholder={own === undefined ? '' : (own * 100).toFixed(1)}
                        aria-label={`Percent of ${row} and ${column}`}
                        onChange={(event) => set([row, column], event.currentTarget.value)}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">In grey: the shares in the data. Cells that you leave empty take the rest.</p>
      <button type="button" onClick={() => change((now) => ({ ...now, cells: withoutTable(now.cells, columns) }))}>
        As in the data<span class="hidden">: {title}</span>
      </button>
    </>
  )
}
