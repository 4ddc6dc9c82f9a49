import type { ExploredAnswer, Reply } from '../messages.ts'

/** The figures of the newest scenario, in the report's words. */
export function Answers({ reply, isWaiting }: { readonly reply: Reply | null; readonly isWaiting: boolean }) {
  if (reply === null) return <p class="note">Asking …</p>
  if (reply.kind === 'refused') return <p class="fault">{reply.message}</p>
  return (
    <div class={isWaiting ? 'waiting' : ''}>
      <p>
        Effective rows: <strong>{reply.effectiveRows ?? 'not told'}</strong> ({reply.support})
      </p>
      {reply.shortfall !== null && <p class="fault">A run would have fewer rows than 1,000: {reply.shortfall}</p>}
      {reply.answers.length === 0 ? (
        <p class="fault">No figures: too few rows of the seed stand behind this scenario.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section class="scroll" aria-label="Figures" tabIndex={0}>
          <Table answers={reply.answers} />
        </section>
      )}
      {reply.scenario !== '' && <Kept scenario={reply.scenario} />}
    </div>
  )
}

/** A file is the way to keep a scenario: others review it, and a run repeats it. */
function Kept({ scenario }: { readonly scenario: string }) {
  return (
    <details>
      <summary>Keep this scenario in a study</summary>
      <p class="note">
        Paste it below <code>scenarios:</code> and give it a name. <code>whatif init</code> writes a study for a file
        that has none; <code>whatif run</code> generates the rows.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <pre tabIndex={0}>{scenario}</pre>
      <button type="button" onClick={() => void navigator.clipboard.writeText(scenario)}>
        Copy
      </button>
    </details>
  )
}

function Table({ answers }: { readonly answers: readonly ExploredAnswer[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Outcome</th>
          <th scope="col">Baseline</th>
          <th scope="col">Scenario</th>
          <th scope="col">Difference</th>
          <th scope="col">95 % interval</th>
          <th scope="col">Beyond chance</th>
          <th scope="col">Base</th>
          <th scope="col">Notes</th>
        </tr>
      </thead>
      <tbody>
        {answers.map((answer) => (
          <tr key={`${answer.column}\n${answer.level}`} class={answer.beyond === 'yes' ? 'beyond' : ''}>
            <th scope="row">
              {answer.level === null && 'mean of '}
              <bdi>{answer.column}</bdi> {answer.level !== null && <bdi>{answer.level}</bdi>}
            </th>
            <td>{answer.from}</td>
            <td>{answer.to}</td>
            <td>{answer.difference}</td>
            <td>{answer.interval || '–'}</td>
            <td>{answer.beyond}</td>
            <td>{answer.base ?? '–'}</td>
            <td>{answer.marks.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
