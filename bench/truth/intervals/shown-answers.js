// The answers that a person reads, by scenario and outcome: from, to, difference and interval as they are written.

const OUTCOME = /^(\S+) (\S+)$/u

/** @param {readonly string[]} figures From, to, difference, interval. */
const words = (figures) => figures.map((figure) => figure.replace(/ ?points$/u, '').trim()).join(' | ')

/** @param {string} text Of a row of a table in the terminal. */
const cellsOf = (text) => text.trim().split(/ {2,}/u)

/**
 * Rows under indented headings; one of both is the scenario, the other the outcome.
 *
 * @param {string} text
 * @param {(heading: string, row: string) => string} keyOf
 */
function underHeadings(text, keyOf) {
  /** @type {Map<string, string>} */
  const shown = new Map()
  let heading = ''
  for (const line of text.split('\n')) {
    const [first = '', fromTo = '', ...rest] = cellsOf(line)
    if (/^ {2}\S/u.test(line) && fromTo === '') heading = first
    const [from, to] = fromTo.split(' → ')
    if (to === undefined || from === undefined || !line.startsWith('    ')) continue
    shown.set(keyOf(heading, first), words([from, to, ...rest.slice(0, 2)]))
  }
  return shown
}

/** @param {string} text Of `plan --estimates`. */
export const shownInPlan = (text) => underHeadings(text, (scenario, outcome) => `${scenario} ${outcome}`)

/** @param {string} text Of `run`. */
export const shownInTerminal = (text) => underHeadings(text, (outcome, scenario) => `${scenario} ${outcome}`)

/** @param {string} markdown */
export function shownInReport(markdown) {
  /** @type {Map<string, string>} */
  const shown = new Map()
  for (const section of markdown.split(/^## /mu).filter((of) => of.startsWith('What `'))) {
    for (const line of section.split('\n')) {
      const [, outcome = '', scenario = '', ...rest] = line.replaceAll('`', '').split(/ ?\| ?/u)
      if (OUTCOME.test(outcome.trim()) && rest.length > 3)
        shown.set(`${scenario.trim()} ${outcome.trim()}`, words(rest.slice(0, 4)))
    }
  }
  return shown
}

/** @param {string} html */
export function shownInPage(html) {
  /** @type {Map<string, string>} */
  const shown = new Map()
  const textOf = (/** @type {string} */ of) => of.replaceAll(/<[^>]*>/gu, '').trim()
  const section = html.slice(html.indexOf('<section id="comparisons"')).split('</section>')[0] ?? ''
  for (const table of section.split('<table').slice(1)) {
    const caption = textOf(`<table${table.split('</caption>')[0] ?? ''}`)
    const column = /^(?:Shares|Means?) of (\S+)$/u.exec(caption)?.[1]
    let level = 'mean'
    for (const row of table.split('<tr').slice(1)) {
      if (row.includes('class="group"')) level = textOf(`<tr${row}`)
      const cells = row
        .split(/<t[hd][^>]*>/u)
        .slice(1)
        .map(textOf)
      if (column !== undefined && row.includes('<td'))
        shown.set(`${cells[0]} ${column} ${level}`, words(cells.slice(1, 5)))
    }
  }
  return shown
}
