// `npm run bench:truth`: simulations with a known truth. Prints each figure with its 95 % interval and its target, and
// at the end the missed targets.
import { parseArgs } from 'node:util'
import { agreementSection } from './agreement.js'
import { attackSection } from './attack.js'
import { differencesSection } from './differences.js'
import { interactionsSection } from './interactions.js'
import {
  printDesigns,
  printNoise,
  printNothing,
  printRandomStudies,
  printRelations,
  printStudies,
} from './intervals/printed-sections.js'
import { likertSection } from './likert.js'
import { atLeast, atMost, figureText, missed, percent, print, row, within } from './printed-table.js'
import { relationsSection } from './relations.js'
import { CHANCE, MOST_RECOVERED } from './secret-attack.js'
import { weakEffectsSection } from './weak-effects.js'

const USAGE = `npm run -s bench:truth -- [SECTION]... [--repetitions N] [--seed 1000]
Sections: differences, agreement, weak, likert, interactions, relations, attack, strong, noise, designs, nothing, studies,
random;
all when none is named.
Repetitions, where none are named: 60; 1,000 of strong, noise and designs, 300 of nothing, which train no models; 200
of random.
About 40 minutes on two idle cores.`

/** @typedef {import('./printed-table.js').Figure} Figure */

const { values: flags, positionals } = readFlags()
const repetitions = Number(flags.repetitions ?? 60)
const seed = Number(flags.seed)
if (!(Number.isInteger(repetitions) && repetitions >= 2 && Number.isSafeInteger(seed))) {
  usageFault('--repetitions takes a whole number of at least 2, --seed a whole number')
}

/** @param {Figure} figure Of no points where no scenario has so few rows. */
const textOf = (figure) => (Number.isNaN(figure.value) ? '' : figureText(figure))

/** @type {Record<string, () => Promise<void>>} */
const SECTIONS = {
  async differences() {
    print(
      'Differences between scenarios: coverage of the 95 % intervals, slope on the truth, error beside the raked seed and beside rows drawn from it',
      [
        'seed rows',
        'rows',
        'coverage (.92 to .98)',
        'where thin',
        'slope',
        'slope of the seed',
        'error / seed',
        'error / rows of it',
        'exact 0',
      ],
    )
    const least = new Map([
      [200, 0.8],
      [1_000, 0.95],
      [5_000, 0.98],
    ])
    for (const n of least.keys()) {
      for (const of of await differencesSection({ sizes: [n], multiples: [1, 2, 20], repetitions, seed })) {
        const place = `differences, ${n} seed rows, ${of.rows} rows`
        row([
          String(n),
          String(of.rows),
          within(of.coverage, 0.92, 0.98, `${place}: coverage`),
          n === 200 ? figureText(of.coverageThin) : '',
          atLeast(of.slope, least.get(n) ?? 0, `${place}: slope`),
          figureText(of.slopeOfSeed),
          atMost(of.errorBesideSeed, 1, `${place}: error beside the raked seed`),
          atMost(of.errorBesideDrawn, 1, `${place}: error beside rows drawn from the raked seed`),
          percent(of.zeros),
        ])
      }
    }
  },
  async agreement() {
    print('Generated rows beside the answer, the difference of the raked seed', [
      'seed rows',
      'rows',
      'apart from it, in its errors',
      'without conditions',
      'beyond two errors, 50 effective rows or more',
      'fewer',
      'slope on it',
      'error / seed',
      'with the model, below 50: error / seed',
      'slope on the truth',
      'slope of the seed',
      'pairs apart from the truth',
      'with the true margins',
      'without conditions',
    ])
    /** @type {string[][]} */
    const slopes = []
    for (const { n, multiples, apart, most } of [
      { n: 100, multiples: [1], most: 60 },
      { n: 300, multiples: [0.2, 1, 20], apart: 0.4, most: 20 },
      { n: 1_000, multiples: [0.2, 1, 20], apart: 0.2, most: 20 },
    ]) {
      const options = { sizes: [n], multiples, repetitions: Math.min(repetitions, most), seed }
      for (const of of await agreementSection(options)) {
        const place = `agreement, ${n} seed rows`
        // Of fewer rows, the noise of generation takes its part.
        const goal = of.rows === 20 * n ? apart : undefined
        const hasGoals = goal !== undefined
        row([
          String(n),
          String(of.rows),
          hasGoals ? atMost(of.apart, goal, `${place}: apart from the raked seed`) : figureText(of.apart),
          hasGoals
            ? atMost(of.baseApart, 0.1, `${place}: apart from the seed without conditions`)
            : figureText(of.baseApart),
          textOf(of.far),
          textOf(of.farOfFew),
          hasGoals ? atLeast(of.slope, 0.9, `${place}: slope on the raked seed`) : figureText(of.slope),
          hasGoals ? atMost(of.besideSeed, 1, `${place}: error beside the raked seed`) : figureText(of.besideSeed),
          textOf(of.mixedBesideSeed),
          textOf(of.mixedSlope),
          textOf(of.seedSlope),
          figureText(of.pairs),
          figureText(of.associations),
          figureText(of.basePairs),
        ])
        if (hasGoals) slopes.push(...of.slopes.map((slope) => [String(n), ...slope]))
      }
    }
    print('The same slope, by the effective rows of the scenario and the law of the outcome (number of differences)', [
      'seed rows',
      'outcomes',
      'effective rows',
      'slope',
    ])
    for (const slope of slopes) row(slope)
  },
  async weak() {
    print('Weak effects of z standard errors: what the model shows of them, and how often exactly nothing', [
      'seed rows',
      'noise columns',
      'z',
      'shown',
      'exact 0',
    ])
    const options = { n: 1_000, strengths: [0, 1, 2, 3, 4, 6], noises: [0, 18], repetitions, seed }
    for (const { n, noise, z, kept, zeros } of await weakEffectsSection(options)) {
      row([String(n), String(noise), String(z), kept ? figureText(kept) : '', percent(zeros)])
    }
  },
  async likert() {
    print('Items of 5 levels on 5 factors: figures of the model over those of the population', [
      'items',
      'seed rows',
      'levels',
      'first eigenvalue',
      'r within',
      'r between',
      'gap of segments',
    ])
    const options = { sizes: [200, 1_000], repetitions: Math.min(repetitions, 20), seed }
    for (const items of [50, 100]) {
      for (const { n, form, eigenvalue, within: r, between, gap } of await likertSection({
        ...options,
        items: [items],
      })) {
        const place = `${items} items as ${form}, ${n} seed rows`
        const withTarget = (/** @type {Figure} */ figure, /** @type {string} */ what) =>
          items > 50
            ? figureText(figure)
            : n < 1_000
              ? atLeast(figure, 0.8, `${place}: ${what}`)
              : within(figure, 0.93, 1.07, `${place}: ${what}`)
        row([
          String(items),
          String(n),
          form,
          withTarget(eigenvalue, 'first eigenvalue'),
          withTarget(r, 'r within'),
          withTarget(between, 'r between'),
          items > 50 ? figureText(gap) : atLeast(gap, n < 1_000 ? 0.8 : 0.85, `${place}: gap of segments`),
        ])
      }
    }
  },
  async interactions() {
    print('A contrast of 0.40 that no column shows alone', ['law', 'seed rows', 'noise columns', 'contrast'])
    const options = { sizes: [1_000, 5_000, 50_000], noises: [0, 10], repetitions: Math.min(repetitions, 20), seed }
    for (const { law, n, noise, contrast } of await interactionsSection(options)) {
      const least = n >= 50_000 ? 0.36 : n >= 5_000 ? 0.3 : null
      const place = `${law}, ${n} seed rows, ${noise} noise columns`
      row([law, String(n), String(noise), least === null ? figureText(contrast) : atLeast(contrast, least, place)])
    }
  },
  async relations() {
    print('Relations of the seed: share of generated rows in which they hold', [
      'relation',
      'seed rows',
      'base file',
      'under a scenario',
      'to reach',
    ])
    const options = { sizes: [200, 1_000, 5_000], repetitions: Math.min(repetitions, 20), seed }
    for (const { relation, n, seedShare, base, conditioned, refused } of await relationsSection(options)) {
      const place = `${relation}, ${n} seed rows`
      // Four points of the seed's share, the limit of the tests for each file.
      const [low, high] = [seedShare - 0.04, seedShare + 0.04].map((bound) => Number(bound.toFixed(3)))
      const withTarget = (/** @type {Figure} */ figure, /** @type {string} */ what) =>
        seedShare === null
          ? atLeast(figure, 1, `${place}: ${what}`, 5)
          : within(figure, low ?? 0, high ?? 1, `${place}: ${what}`)
      row([
        relation,
        String(n),
        withTarget(base, 'base file'),
        conditioned === null
          ? `${refused} refused`
          : `${withTarget(conditioned, 'scenario')}${refused > 0 ? `, ${refused} refused` : ''}`,
        seedShare === null ? '1 (all rows)' : `${low} to ${high} (the seed: ${seedShare.toFixed(3)})`,
      ])
    }
  },
  async attack() {
    print('A secret of six values, asked for by one scenario per value: share of members whose secret is named', [
      'seed rows',
      'channel',
      `recovered (at most ${MOST_RECOVERED.toFixed(3)})`,
      'chance',
      'members answered',
      'others answered',
      'apart (-0.1 to 0.1)',
    ])
    for (const n of [1_000, 5_000]) {
      const options = { sizes: [n], repetitions: Math.min(repetitions, 10), seed }
      for (const { channel, recovered, members, others, apart } of await attackSection(options)) {
        const place = `attack, ${n} seed rows, ${channel}`
        row([
          String(n),
          channel,
          atMost(recovered, MOST_RECOVERED, `${place}: recovered`),
          CHANCE.toFixed(3),
          percent(members),
          percent(others),
          within(apart, -0.1, 0.1, `${place}: members answered more than others`),
        ])
      }
    }
  },
  strong: () => printRelations(coverageOptions(1_000)),
  noise: () => printNoise(coverageOptions(1_000)),
  designs: () => printDesigns(coverageOptions(1_000)),
  nothing: () => printNothing(coverageOptions(300)),
  studies: () => printStudies({ repetitions, seed }),
  random: () => printRandomStudies(coverageOptions(200)),
}

const unknown = positionals.find((name) => !(name in SECTIONS))
if (unknown !== undefined) usageFault(`no section is called ${unknown}`)
for (const name of positionals.length > 0 ? positionals : Object.keys(SECTIONS)) await SECTIONS[name]?.()
const summary = missed.length === 0 ? 'Nothing is missed.' : `Missed:\n${missed.map((line) => `- ${line}`).join('\n')}`
process.stdout.write(`\n${summary}\n`)

/** @param {number} ownRepetitions Unless some are asked for. */
function coverageOptions(ownRepetitions) {
  return { repetitions: flags.repetitions === undefined ? ownRepetitions : repetitions, seed }
}

function readFlags() {
  const options = /** @type {const} */ ({
    repetitions: { type: 'string' },
    seed: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  })
  try {
    const read = parseArgs({ options, allowPositionals: true })
    if (!read.values.help) return read
    process.stdout.write(`${USAGE}\n`)
    return process.exit(0)
  } catch (error) {
    return usageFault(/** @type {Error} */ (error).message)
  }
}

/**
 * @param {string} message
 * @returns {never}
 */
function usageFault(message) {
  process.stderr.write(`bench:truth: ${message}\n${USAGE}\n`)
  return process.exit(2)
}
