import { type ComponentChild, render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ExploredDataset, Question, Reply } from '../messages.ts'
import { Answers } from './answers.tsx'
import { Lever } from './levers.tsx'
import { newestFirst } from './newest-answer.ts'
import { conditionsOf, type Scenario, UNCHANGED } from './scenario.ts'

/** Outcomes of one question. */
const MOST_OUTCOMES = 12

const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

async function call<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const value = await response.json()
  if (!response.ok) throw new Error(response.status === 401 ? NO_TOKEN : String(value.message))
  return value
}

const NO_TOKEN = 'The address of this page lacks its token. Open the address that whatif explore printed.'
const GONE = 'whatif explore does not answer. Is it still running? The next move asks again.'

const words = (error: unknown): string => (error instanceof TypeError ? GONE : (error as Error).message)

const send = (question: Question): Promise<Reply> =>
  call<Reply>('/answers', question).catch((error: unknown) => ({ kind: 'refused', message: words(error) }))

function Page({ dataset }: { readonly dataset: ExploredDataset }) {
  const [scenario, setScenario] = useState<Scenario>(UNCHANGED)
  const [past, setPast] = useState<readonly Scenario[]>([])
  const [future, setFuture] = useState<readonly Scenario[]>([])
  const [outcomes, setOutcomes] = useState<readonly string[]>(dataset.outcomes.slice(0, MOST_OUTCOMES))
  const [search, setSearch] = useState('')
  const [reply, setReply] = useState<Reply | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const ask = useMemo(
    () =>
      newestFirst(send, (answer: Reply) => {
        setReply(answer)
        setWaiting(false)
      }),
    [],
  )
  useEffect(() => {
    if (outcomes.length === 0) return
    setWaiting(true)
    ask({ conditions: conditionsOf(scenario, dataset.columns), outcomes })
  }, [scenario, outcomes])
  const dragged = useRef<string | undefined>(undefined)
  const change = (next: Scenario, stroke?: string) => {
    if (stroke === undefined || stroke !== dragged.current) setPast([...past, scenario])
    dragged.current = stroke
    setFuture([])
    setScenario(next)
  }
  const step = (from: readonly Scenario[], setFrom: typeof setPast, to: readonly Scenario[], setTo: typeof setPast) => {
    const next = from.at(-1)
    if (next === undefined) return
    dragged.current = undefined
    setFrom(from.slice(0, -1))
    setTo([...to, scenario])
    setScenario(next)
  }
  const wanted = search.trim().toLowerCase()
  const isFound = (texts: readonly string[]) => texts.some((text) => text.toLowerCase().includes(wanted))
  const columns = dataset.columns.filter(({ name, levels }) =>
    isFound([name, ...(levels ?? []).map((level) => level.name)]),
  )
  const toggle = (name: string) =>
    setOutcomes(outcomes.includes(name) ? outcomes.filter((one) => one !== name) : [...outcomes, name])
  return (
    <>
      <header>
        <h1>
          What if? <bdi>{dataset.name}</bdi>
        </h1>
        <p class="note">
          {dataset.rows !== null && `${dataset.rows.toLocaleString('en')} rows. `}Moving a lever generates and bills
          nothing. A level that you move takes from the others of its question, which keep their proportions.
        </p>
      </header>
      <main>
        <section aria-labelledby="levers">
          <h2 id="levers">Levers</h2>
          <p class="tools">
            <input
              type="search"
              aria-label="Search columns and levels"
              placeholder="Search"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
            <button type="button" disabled={past.length === 0} onClick={() => step(past, setPast, future, setFuture)}>
              Undo
            </button>
            <button type="button" disabled={future.length === 0} onClick={() => step(future, setFuture, past, setPast)}>
              Redo
            </button>
          </p>
          {columns.length === 0 && <p class="note">No column or level has this name.</p>}
          {columns.map((column) => (
            <Lever key={column.name} column={column} scenario={scenario} change={change} />
          ))}
        </section>
        <section aria-labelledby="answers" class="answers">
          <h2 id="answers">Answers</h2>
          <details>
            <summary>Outcomes ({outcomes.length})</summary>
            <div class="choices">
              {dataset.columns.map(({ name }) => (
                <label key={name}>
                  <input
                    type="checkbox"
                    checked={outcomes.includes(name)}
                    disabled={!outcomes.includes(name) && outcomes.length >= MOST_OUTCOMES}
                    onChange={() => toggle(name)}
                  />
                  <bdi>{name}</bdi>
                </label>
              ))}
            </div>
          </details>
          {outcomes.length === 0 ? (
            <p class="note">Choose an outcome.</p>
          ) : (
            <Answers reply={reply} isWaiting={isWaiting} />
          )}
          <p class="note">
            The answers are those of the seed, reweighted to the scenario and held against the data as they are. What
            goes with a lever moves with it: a difference is no effect of a cause. Beyond chance is judged over all
            answers shown (5 % of such claims are false).
          </p>
        </section>
      </main>
    </>
  )
}

function Fault({ message }: { readonly message: string }) {
  return (
    <main>
      <p class="fault">{message}</p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  )
}

const root = document.getElementById('page') as HTMLElement

/** In place of the words that the page loads. */
function show(page: ComponentChild): void {
  root.textContent = ''
  render(page, root)
}

call<ExploredDataset>('/dataset').then(
  (dataset) => show(<Page dataset={dataset} />),
  (error: unknown) => show(<Fault message={words(error)} />),
)
