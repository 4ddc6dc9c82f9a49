import type { Besides, Conditions } from '../wire/messages.ts'
import { figureName } from './answers.tsx'
import { useAnswer } from './use-answer.ts'

/** What goes with the levers, as a love plot: the scenario beside the data as they are, in standard deviations. */
export function MovedBesides({ conditions }: { readonly conditions: Conditions }) {
  const { reply, isWaiting } = useAnswer<Besides>('/besides', { conditions })
  if (reply === null) return <p class="note">Asking …</p>
  if (reply.kind === 'refused') return <p class="fault">{reply.message}</p>
  if (reply.moved.length === 0) return <p class="note">Nothing else moves.</p>
  const widest = Math.max(0.1, ...reply.moved.map(({ distance }) => Math.abs(distance)))
  return (
    <div class={isWaiting ? 'waiting' : ''}>
      <p class="note">
        Of {reply.columns} other columns, those that change most. The picture has standard deviations of the data; the
        lines are 0.1 of them.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="scroll" aria-label="What moved besides" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
              <th scope="col">Standard deviations</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {reply.moved.map((moved) => (
              <tr key={moved.column}>
                <th scope="row">{figureName(moved)}</th>
                <td>{moved.from}</td>
                <td>{moved.to}</td>
                <td>{moved.distance.toFixed(2)}</td>
                <td>
                  <Dot distance={moved.distance} widest={widest} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Dot({ distance, widest }: { readonly distance: number; readonly widest: number }) {
  const at = (value: number): number => 50 + (value / widest) * 46
  return (
    <svg class="interval" aria-hidden="true" viewBox="0 0 100 16" width="80" height="13">
      <line class="zero" x1={50} y1={0} x2={50} y2={16} />
      <line class="tenth" x1={at(-0.1)} y1={0} x2={at(-0.1)} y2={16} />
      <line class="tenth" x1={at(0.1)} y1={0} x2={at(0.1)} y2={16} />
      <circle cx={at(distance)} cy={8} r={3} />
    </svg>
  )
}
