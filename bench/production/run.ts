import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { prose } from '../report-text.js'
import { ATTACKS } from './attack-list.ts'
import { attacks } from './attacks.ts'
import { capacitySection } from './capacity.ts'
import { clocks } from './clocks.ts'
import { fairness } from './fairness.ts'
import { faults } from './faults.ts'
import { large } from './large.ts'
import { many } from './many.ts'
import { pace } from './pace.ts'
import { Report } from './report.ts'
import { scaleSection } from './scale.ts'
import { soak } from './soak.ts'
import { uploads } from './uploads.ts'

const USAGE = `npm run -s bench:production -- [SECTION]... [--minutes 60] [--only WORDS]
--minutes is the length of the section "soak"; --only runs the attacks with these words in their names alone.
--scenarios is their number in the section "many" (3000), --rows those of the section "large" (20000000).`

interface SectionOptions {
  readonly minutes: number
  readonly only: string
  readonly scenarios: number
  readonly rows: number
}

type Section = (report: Report, options: SectionOptions) => Promise<void>

/** By the name on the command line: the title, and the function that measures. */
const SECTIONS: Readonly<Record<string, readonly [title: string, section: Section]>> = {
  attacks: ['Attacks while another tenant works', attacks],
  fairness: ['Fairness: a small request behind another tenant’s full queues', fairness],
  pace: ['The pace of small generations', pace],
  clocks: ['One wrong clock, in each role', clocks],
  faults: ['Faults, one after the other', faults],
  soak: ['An hour of light load, in which nothing grows', soak],
  many: ['Many small scenarios of one study', many],
  large: ['One large generation in parts', large],
  uploads: ['An upload of 500 MB that is cut', uploads],
  scale: ['100,000 datasets and 1,000,000 generations', scaleSection],
  capacity: ['The cost of one upload and one generation', capacitySection],
}

const { names, ...options } = readFlags()
const report = new Report()
process.stdout.write(`whatif bench:production, node ${process.version}\n`)
const busy = loadavg()[0] ?? 0
process.stdout.write(`${prose(`${availableParallelism()} processors, load average ${busy.toFixed(2)}.`).join('\n')}\n`)
for (const name of names) {
  const [title, section] = SECTIONS[name] as (typeof SECTIONS)[string]
  report.begin(title)
  const begun = performance.now()
  await section(report, options)
  report.say(`(${((performance.now() - begun) / 1000).toFixed(0)} s, load average ${loadavg()[0]?.toFixed(2)})`)
}
const missed = report.missed()
const summary = missed.length === 0 ? 'Nothing is missed.' : `Missed:\n${missed.map((line) => `- ${line}`).join('\n')}`
process.stdout.write(`\n${summary}\n`)

function readFlags(): SectionOptions & { readonly names: readonly string[] } {
  const options = {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    scenarios: { type: 'string', default: '3000' },
    rows: { type: 'string', default: '20000000' },
    help: { type: 'boolean', default: false },
  } as const
  const listed = `${USAGE}\nSections, all when none is named: ${Object.keys(SECTIONS).join(', ')}.\n`
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (values.help) {
      process.stdout.write(listed)
      process.exit(0)
    }
    const unknown = positionals.find((name) => !Object.hasOwn(SECTIONS, name))
    if (unknown !== undefined) throw new Error(`no section is called ${unknown}`)
    const length = Number(values.minutes)
    if (!(length > 0 && length <= 24 * 60)) throw new Error('--minutes takes a number above 0')
    const [scenarios, rows] = [Number(values.scenarios), Number(values.rows)]
    if (!(Number.isSafeInteger(scenarios) && scenarios >= 100))
      throw new Error('--scenarios takes a number of at least 100')
    if (!(Number.isSafeInteger(rows) && rows > 2_000_000)) throw new Error('--rows takes a number above 2000000')
    if (!ATTACKS.some(({ name }) => name.includes(values.only)))
      throw new Error(`no attack has "${values.only}" in its name`)
    const sections = positionals.length > 0 ? positionals : Object.keys(SECTIONS)
    return { names: sections, minutes: length, only: values.only, scenarios, rows }
  } catch (error) {
    process.stderr.write(`bench:production: ${(error as Error).message}\n${listed}`)
    return process.exit(2)
  }
}
