/** Seed files of the suite: made, not real, and the same at every run. */

/** Numbers below `n`, the same sequence for the same state. */
function drawer(state: number): (n: number) => number {
  let current = state
  return (n) => {
    current = (Math.imul(current, 1103515245) + 12345) >>> 0
    return Math.floor((current / 2 ** 32) * n)
  }
}

/**
 * A panel with a column of every kind: levels with missing values, yes and no, a Likert item, counts, decimals, a date, a
 * moment.
 */
export function panelCsv(rows: number): string {
  const draw = drawer(4711)
  const lines = ['brand,is_member,satisfaction,visits,price,joined_on,answered_at']
  for (let i = 0; i < rows; i++) {
    const brand = draw(10) === 0 ? '' : ['Arabica', 'Robusta', 'Liberica'][draw(3)]
    const member = draw(2) === 0 ? 'yes' : 'no'
    const price = (1 + draw(900) / 100).toFixed(2)
    const joined = new Date(Date.UTC(2020, 0, 1 + draw(1000))).toISOString().slice(0, 10)
    const answered = new Date(Date.UTC(2023, 0, 1) + draw(90 * 86_400) * 1000).toISOString().replace('.000', '')
    lines.push(`${brand},${member},${1 + draw(5)},${draw(25)},${price},${joined},${answered}`)
  }
  return `${lines.join('\n')}\n`
}

/** Colours and shapes, of which only twenty rows of 2,000 are both red and square. */
export function unevenCsv(): string {
  const lines = ['colour,shape,weight']
  for (let i = 0; i < 2000; i++) {
    const colour = i < 1000 ? 'red' : 'blue'
    const shape = i < 980 ? 'round' : i < 1800 ? 'square' : 'round'
    lines.push(`${colour},${shape},${50 + ((i * 7) % 50)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Needs three rows of ten to be both red and square: far more than the evidence of `unevenCsv` carries for many rows. */
export const UNEVEN_SCENARIO = { categorical: { colour: { red: 0.5 }, shape: { square: 0.8 } } }
