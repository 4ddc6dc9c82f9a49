// `npm run bench`: measures the built package on this machine and prints one readable text. Exit code 1 only when
// something breaks; figures beyond a limit are marked in the text. Words after `npm run bench --` pick sections by title.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './child-process.js'
import { cliSection } from './cli-section.js'
import { conditionsSection } from './conditions-section.js'
import { embeddedSection } from './embedded-section.js'
import { engineSection } from './engine-section.js'
import { estimatesSection } from './estimates-section.js'
import { growthSection } from './growth-section.js'
import { planSection } from './plan-section.js'
import { reportSection } from './report-section.js'
import { megabytes, milliseconds, prose, seconds } from './report-text.js'
import { requestsSection } from './requests-section.js'
import { runSection } from './run-section.js'
import { serviceSection } from './service-section.js'
import { transferSection } from './transfer-section.js'

/** @type {readonly (readonly [title: string, section: (tempDir: string) => Promise<string[]>])[]} */
const SECTIONS = [
  ['Command start-up', cliSection],
  ['Plan of 10,000 scenarios', planSection],
  ['Run of 500 scenarios', runSection],
  ['Report', reportSection],
  ['Embedded service and the example', embeddedSection],
  ['Upload and download', transferSection],
  ['Requests', requestsSection],
  ['Estimates', estimatesSection],
  ['Many conditions and many levers', conditionsSection],
  ['Engine: through the service', serviceSection],
  ['Engine: growth of cost', growthSection],
  ['Engine: Adult beside open peers', engineSection],
]

/** The time of `node -e 0` on the machine for which the limits in seconds were set. */
const REFERENCE_START_MS = 56

const begun = performance.now()
const only = process.argv.slice(2).map((word) => word.toLowerCase())
const unknown = only.filter((word) => !SECTIONS.some(([title]) => title.toLowerCase().includes(word)))
if (unknown.length > 0) {
  const titles = SECTIONS.map(([title]) => `  ${title}\n`).join('')
  process.stdout.write(`npm run bench -- [WORD]...   sections whose title has one of the words; all without\n${titles}`)
  process.exit(unknown.every((word) => word === '--help') ? 0 : 2)
}
print([
  'whatif bench',
  `  node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${megabytes(totalmem())}`,
  `  load average before: ${loadText()}`,
  ...prose(
    `"node -e 0" takes ${await bareStart()}, and ${REFERENCE_START_MS} ms where the limits in seconds were set. It is measured again after each section, because a machine that shares its processors changes speed.`,
  ),
  ...((loadavg()[0] ?? 0) > availableParallelism() / 2
    ? prose('The machine is busy with other work: wall times below are longer than on an idle one.')
    : []),
])
for (const [title, section] of SECTIONS) {
  if (only.length > 0 && !only.some((word) => title.toLowerCase().includes(word))) continue
  const tempDir = await mkdtemp(join(tmpdir(), 'whatif-bench-'))
  const start = performance.now()
  try {
    const lines = await section(tempDir)
    print(['', title, '='.repeat(title.length), ...lines])
  } catch (error) {
    process.exitCode = 1
    print([
      '',
      title,
      '='.repeat(title.length),
      '  BROKEN',
      ...String(error)
        .split('\n')
        .map((line) => `  ${line}`),
    ])
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
  print([
    `  (${seconds((performance.now() - start) / 1000)}, load average ${loadText()}, "node -e 0" ${await bareStart()})`,
  ])
}
print(['', `Took ${seconds((performance.now() - begun) / 1000)}.`])

function loadText() {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')
}

/** The fastest of a few. */
async function bareStart() {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    least = Math.min(least, (await runProgram(process.execPath, ['-e', '0'])).seconds)
  }
  return milliseconds(least)
}

/** @param {readonly string[]} lines */
function print(lines) {
  process.stdout.write(`${lines.join('\n')}\n`)
}
