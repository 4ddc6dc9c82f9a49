/**
 * The clauses of the service's documents, as names: `clauses.test.ts` holds the titles of this suite against them. Nothing
 * of the documents is repeated here: names are read from their headings, numbered items and first table cells.
 *
 *   Rules 4                                an item of a numbered list
 *   Dataset: expires_at                    a row of a table, by its first cell
 *   Errors: 400 svc_invalid_field          a row of the errors or routes, by its first two
 *   States and transitions 3               a row of the states, counted
 *   GET /v1/datasets 2                     a bullet, counted; those that say "not shown" settle nothing
 *   Endpoints                              a paragraph
 *   Decisions, General: 401                a row of the decisions
 */

/** The section whose numbered items are the rules that hold everywhere. */
const SHORT_NAMES: Readonly<Record<string, string>> = { 'What the service does': 'Rules' }

/** Clauses of the specification. */
export function clausesOfSpecification(markdown: string): Set<string> {
  const clauses = new Set<string>()
  let section = ''
  let bullets = 0
  for (const block of sectionsOf(markdown)) {
    section = plain(unbracketed(block.heading))
    const name = SHORT_NAMES[section] ?? section
    bullets = 0
    for (const cells of block.rows) clauses.add(nameOfRow(name, cells, block.rows.indexOf(cells) + 1))
    for (const line of block.lines) {
      const item = /^(\d+)\. /.exec(line)?.[1]
      if (item !== undefined) clauses.add(`${name} ${item}`)
      else if (line.startsWith('- ')) {
        if (!line.includes('not shown')) clauses.add(`${name} ${++bullets}`)
      } else if (/^[A-Z]/.test(line) && !line.endsWith(':')) clauses.add(name)
    }
  }
  return clauses
}

function nameOfRow(section: string, cells: readonly string[], row: number): string {
  const [first = '', second = ''] = cells
  if (section === 'States and transitions') return `${section} ${row}`
  if (section === 'Utility and documentation routes') return `${first} ${unbracketed(second)}`
  if (section === 'Errors') return `${section}: ${first} ${second}`.trim()
  return `${section}: ${first}`
}

/** Clauses of the decisions: the questions of its tables, and sections without one. */
export function clausesOfDecisions(markdown: string): Set<string> {
  const clauses = new Set<string>()
  for (const { heading, rows } of sectionsOf(markdown)) {
    if (rows.length === 0) clauses.add(`Decisions, ${heading}`)
    for (const [question] of rows) clauses.add(`Decisions, ${heading}: ${question}`)
  }
  return clauses
}

/** The clauses that the titles of a test file name: `it('[Rules 4] [Limits: Rows returned] a generation ...')`. */
export function clausesOfTests(source: string): Set<string> {
  const clauses = new Set<string>()
  for (const [, tags] of source.matchAll(/['"`]((?:\[[^\]\n]+\] )+)/g)) {
    for (const [, clause] of (tags as string).matchAll(/\[([^\]]+)\]/g)) clauses.add(clause as string)
  }
  return clauses
}

interface Section {
  readonly heading: string
  /** Cells of the rows of its tables, without their heads. */
  readonly rows: readonly (readonly string[])[]
  /** Everything else. */
  readonly lines: readonly string[]
}

/** Sections of the second level and below; what stands above the first is no rule. */
function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^##+ /m)
    .slice(1)
    .map((text) => {
      const [heading = '', ...lines] = text.split('\n')
      // A line of dashes divides a table's head from its rows.
      const rows = lines.filter((line, i) => line.startsWith('|') && !isRule(line) && !isRule(lines[i + 1] ?? ''))
      return { heading, rows: rows.map(cellsOf), lines: lines.filter((line) => !line.startsWith('|')) }
    })
}

function isRule(line: string): boolean {
  return /^\|[-| ]+\|$/.test(line)
}

function cellsOf(row: string): string[] {
  return row.replaceAll('\\|', '/').split('|').slice(1, -1).map(plain)
}

function plain(text: string): string {
  return text.replaceAll('`', '').trim()
}

function unbracketed(text: string): string {
  return text.replace(/\s*\(.*\)$/, '')
}
