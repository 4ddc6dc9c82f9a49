import type { ComponentChild } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Answered, ExploredDataset } from '../wire/messages.ts'
import { Answers } from './answers.tsx'
import { addressOf, linkWith } from './backend.ts'
import { MovedBesides } from './besides.tsx'
import { CellsLever } from './cells-lever.tsx'
import { DistributionPanel } from './distribution.tsx'
import { Keep } from './keep.tsx'
import { type ChangeLevers, Lever } from './levers.tsx'
import { linkOf, stateOf } from './link.ts'
import { WhatMatters } from './matters.tsx'
import { WhatIsNeeded } from './needed.tsx'
import { OutcomeChoice } from './outcome-choice.tsx'
import { figuresOf } from './outcomes.ts'
import { askedOf, currentOf, firstState, type PageState, withCurrent } from './page-state.ts'
import { Panel } from './panel.tsx'
import { watchPresses } from './presses.ts'
import { conditionsOf, withMix, withShare } from './scenario.ts'
import { ScenarioTabs } from './scenario-tabs.tsx'
import { Segments } from './segments.tsx'
import { SideBySide } from './side-by-side.tsx'
import { useAnswer } from './use-answer.ts'
import { type History, useHistory } from './use-history.ts'
import { useUnchanged } from './use-unchanged.ts'

type PanelName = 'besides' | 'distribution' | 'segments' | 'side' | 'matters' | 'needed' | 'keep'

const STATE = 'state'

/** `isPart`: the link names what the dataset does not have. */
function stateInAddress(dataset: ExploredDataset): { readonly state: PageState; readonly isPart: boolean } | null {
  const text = new URLSearchParams(location.hash.slice(1)).get(STATE) ?? ''
  const state = stateOf(text, dataset)
  return state === null ? null : { state, isPart: linkOf(state) !== text }
}

/** The levers and answers of a dataset. */
export function Page({ dataset }: { readonly dataset: ExploredDataset }) {
  const [opened] = useState(() => stateInAddress(dataset))
  const history = useHistory<PageState>(opened?.state ?? firstState(dataset))
  const [isPart, setPart] = useState(opened?.isPart ?? false)
  const { state, change } = history
  useEffect(watchPresses, [])
  useEffect(() => {
    // Browsers write an address slowly: after the question has been sent, while its answer is on its way.
    const timer = setTimeout(() => window.history.replaceState(null, '', addressOf(linkOf(state))))
    return () => clearTimeout(timer)
  }, [state])
  useEffect(() => {
    // A link that is opened on this page: it has a state and no token.
    const open = () => {
      const next = stateInAddress(dataset)
      if (next === null) return
      setPart(next.isPart)
      change(next.state)
    }
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [dataset])
  return (
    <>
      <Head dataset={dataset} state={state} />
      {isPart && (
        <p class="fault">
          The link that you opened names columns or levels that these data do not have. They are left out.
        </p>
      )}
      <ScenarioTabs state={state} change={change} />
      <main>
        <Levers dataset={dataset} history={history} />
        <section aria-labelledby="answers" class="answers">
          <h2 id="answers" tabIndex={-1}>
            Answers
          </h2>
          <OutcomeChoice dataset={dataset} state={state} change={change} />
          <Asked dataset={dataset} history={history} />
        </section>
      </main>
    </>
  )
}

function Head({ dataset, state }: { readonly dataset: ExploredDataset; readonly state: PageState }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    const link = new URL(location.href)
    link.hash = linkWith(linkOf(state))
    void navigator.clipboard.writeText(link.href).then(() => setCopied(true))
  }
  useEffect(() => setCopied(false), [state])
  return (
    <header>
      <h1>
        What if? <bdi>{dataset.name}</bdi>
      </h1>
      <p class="tools">
        <button type="button" onClick={copy}>
          Copy a link to this state
        </button>
      </p>
      <p class="note">
        {dataset.rows !== null && `${dataset.rows.toLocaleString('en')} rows. `}Moving a lever generates and bills
        nothing. A level that you move takes from the others of its question, which keep their proportions.
      </p>
      <p class="note" aria-live="polite">
        {isCopied &&
          'Copied. Who has the same file opens it on a page of their own: they put the part from # on behind its address.'}
      </p>
    </header>
  )
}

interface PartProps {
  readonly dataset: ExploredDataset
  readonly history: History<PageState>
}

function Levers({ dataset, history: { state, change, undo, redo } }: PartProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const columns = dataset.columns.filter(({ name, levels }) =>
    [name, ...(levels ?? []).map((level) => level.name)].some((text) => text.toLowerCase().includes(wanted)),
  )
  const { levers } = currentOf(state)
  const latest = useRef({ state, change })
  latest.current = { state, change }
  const move = useCallback<ChangeLevers>((next, stroke) => {
    const { state: now, change: set } = latest.current
    set(withCurrent(now, { levers: next(currentOf(now).levers) }), stroke)
  }, [])
  const made = useUnchanged()
  const opened = useRef(new Map<string, boolean>()).current
  return (
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
        <button type="button" disabled={undo === null} onClick={() => undo?.()}>
          Undo
        </button>
        <button type="button" disabled={redo === null} onClick={() => redo?.()}>
          Redo
        </button>
      </p>
      {columns.length === 0 && <p class="note">No column or level has this name.</p>}
      {columns.map((column) =>
        made(column.name, wanted, levers, () => (
          <Lever key={column.name} {...{ column, wanted, opened }} scenario={levers} change={move} />
        )),
      )}
      {wanted === '' && <CellsLever dataset={dataset} scenario={levers} change={move} />}
    </section>
  )
}

function Asked({ dataset, history: { state, change } }: PartProps) {
  const { outcomes } = state
  const { levers } = currentOf(state)
  const [open, setOpen] = useState<ReadonlySet<PanelName>>(new Set())
  const [spread, setSpread] = useState('')
  const conditions = conditionsOf(levers, dataset.columns)
  const asked = askedOf(state, dataset.columns)
  const rows = { where: asked.where, ...(asked.base && { base: asked.base }) }
  const figures = figuresOf(dataset, outcomes)
  const isSpread = open.has('distribution') && spread !== ''
  const { reply, isWaiting } = useAnswer<Answered>(
    '/answers',
    outcomes.length === 0
      ? null
      : {
          conditions,
          ...asked,
          ...(isSpread && { distribution: spread }),
        },
  )
  // Segments that are not seen are neither asked for nor kept.
  const isOpen = (name: PanelName) => open.has(name) || (name === 'segments' && state.by !== '')
  const panel = (name: PanelName, title: string, content: () => ComponentChild) => (
    <Panel
      title={title}
      isOpen={isOpen(name)}
      setOpen={(next) => {
        setOpen((now) => new Set(next ? [...now, name] : [...now].filter((one) => one !== name)))
        if (name === 'segments' && !next && state.by !== '') change({ ...state, by: '' })
      }}
    >
      {isOpen(name) && content()}
    </Panel>
  )
  return (
    <>
      {outcomes.length === 0 ? (
        <p class="note">Choose an outcome.</p>
      ) : (
        <Answers
          reply={reply}
          isWaiting={isWaiting}
          moveTo={(mix) => change(withCurrent(state, { levers: withMix(levers, mix) }))}
        />
      )}
      <p class="note">
        The answers are those of the seed, reweighted to the scenario and held against the data as they are. What goes
        with a lever moves with it: a difference is no effect of a cause. Beyond chance is judged over all answers shown
        (5 % of such claims are false).
      </p>
      {panel('besides', 'What moved besides?', () => (
        <MovedBesides conditions={conditions} />
      ))}
      {panel('distribution', 'Distribution', () => (
        <DistributionPanel {...{ dataset, column: spread, choose: setSpread, reply, isWaiting }} />
      ))}
      {panel('segments', 'In whom?', () => (
        <Segments dataset={dataset} by={state.by} setBy={(by) => change({ ...state, by })} reply={reply} />
      ))}
      {state.scenarios.length > 1 &&
        panel('side', 'Scenarios side by side', () => <SideBySide state={state} dataset={dataset} />)}
      {panel('needed', 'What would it take?', () => (
        <WhatIsNeeded
          {...{ dataset, figures, rows, conditions }}
          moveTo={(column, level, share) =>
            change(withCurrent(state, { levers: withShare(levers, column, level, share) }))
          }
        />
      ))}
      {panel('matters', 'What matters?', () => (
        <WhatMatters figures={figures} rows={rows} />
      ))}
      {panel('keep', 'Keep as a study', () => (
        <Keep state={state} dataset={dataset} />
      ))}
    </>
  )
}
