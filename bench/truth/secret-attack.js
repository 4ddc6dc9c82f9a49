// Counts as an oracle: an attacker who knows a person's group (sex, age and income within 3 %) asks one scenario for each value
// of a secret and picks the value with the most reported seed rows. Exact counts named the secret of 97 % of members
// among 1,000; six values by chance are 17 %. The engine is an argument: tests attack the source, the bench what is built.

/**
 * @typedef {{ sex: string, age: number, income: number, secret: string }} Person
 * @typedef {import('../../dist/engine/model/model.js').Model} Model
 * @typedef {import('../../dist/engine/scenario/scenario.js').Scenario} Scenario
 * @typedef {Pick<typeof import('../../dist/engine/generate.js'), 'assessScenario'> & typeof import('../../dist/engine/estimates/estimate-differences.js') & typeof import('../../dist/engine/disclosure/row-keys.js')} Engine
 *
 * @typedef {object} Channel
 * @property {number} share What the scenario asks for of the levels that the attacker knows or guesses.
 * @property {boolean} namesSecret Whether the scenario has the guess in it.
 * @property {(engine: Engine, model: Model, of: Scenario, secret: string) => Promise<number>} ask What the answer reveals of how
 *   much stands behind it; 0 for no answer.
 */

export const SECRETS = Array.from({ length: 6 }, (_, i) => `secret ${i}`)
export const CHANCE = 1 / SECRETS.length

/** Above this, an answer reveals something about a person. */
export const MOST_RECOVERED = CHANCE + 0.05

/** The attacker's reference for the scenario. */
const EVERYBODY = { shares: [], ranges: [] }

/** @type {import('../../dist/engine/estimates/outcome-estimates.js').RequestedOutcome[]} */
const SECRET = [{ column: 'secret', base: 'all' }]

/**
 * As a service for others answers.
 *
 * @param {Engine} engine
 * @param {Model} model
 */
function protectedBy({ RowKeys }, { rowCount }) {
  return new RowKeys(new TextEncoder().encode('the secret of a service'), rowCount)
}

/**
 * The secret is independent of everything else, so an attacker who names it has it from the seed.
 *
 * @param {number} count
 * @param {{ real(): number }} random
 * @returns {Person[]}
 */
export function drawPeople(count, random) {
  return Array.from({ length: count }, () => {
    const age = 18 + Math.floor(62 * random.real() ** 1.4)
    return {
      sex: random.real() < 0.5 ? 'f' : 'm',
      age,
      income: Math.round(15_000 + 400 * age * random.real() + 30_000 * random.real() ** 3),
      secret: SECRETS[Math.floor(6 * random.real())] ?? '',
    }
  })
}

/** @type {Record<string, Channel>} */
export const CHANNELS = {
  'evidence of a generation': {
    share: 1,
    namesSecret: true,
    async ask(engine, model, of) {
      const disclosure = protectedBy(engine, model)
      const { rows, effectiveRows } = await engine.assessScenario(model, of, 100, { threads: 1, disclosure })
      return rows * 1e6 + effectiveRows
    },
  },
  'evidence of a generation that asks for most and not for all': {
    share: 0.9,
    namesSecret: true,
    async ask(engine, model, of) {
      const told = await engine.assessScenario(model, of, 1000, { threads: 1, disclosure: protectedBy(engine, model) })
      const { rows, effectiveRows, largestTilt } = told
      return rows * 1e6 + effectiveRows - largestTilt / 1e6
    },
  },
  'the nearest mix that a shortfall proposes': {
    share: 0.9,
    namesSecret: true,
    async ask(engine, model, of) {
      const disclosure = protectedBy(engine, model)
      const { rows, nearest } = await engine.assessScenario(model, of, 10_000, { threads: 1, disclosure })
      // The less has to move, the more rows are behind it.
      return rows === 10_000 ? 10 : nearest === undefined ? 0 : 5 - nearest.moved
    },
  },
  'effective rows of estimates': {
    share: 0.9,
    namesSecret: true,
    async ask(engine, model, of) {
      const disclosure = protectedBy(engine, model)
      const options = { scenario: of, baseline: EVERYBODY, outcomes: SECRET, maxLevels: 10, disclosure }
      return (await engine.estimateDifferences(model, options)).scenario.effectiveRows ?? 0
    },
  },
  'shares that estimates tell of the group': {
    share: 1,
    namesSecret: false,
    async ask(engine, model, of, secret) {
      const disclosure = protectedBy(engine, model)
      const options = { scenario: of, baseline: EVERYBODY, outcomes: SECRET, maxLevels: 10, disclosure }
      const [outcome] = (await engine.estimateDifferences(model, options)).outcomes
      const levels = outcome?.kind === 'shares' ? outcome.levels : []
      return levels.find(({ level }) => level === secret)?.scenario ?? 0
    },
  },
}

/**
 * Secrets recovered, ties by lot, and people for whom anything was answered, as parts of all.
 *
 * @param {Engine} engine
 * @param {Model} model
 * @param {readonly Person[]} people
 * @param {Channel} channel
 */
export async function attack(engine, model, people, { share, namesSecret, ask }) {
  let recovered = 0
  let answered = 0
  for (const { sex, age, income, secret } of people) {
    const reported = await Promise.all(
      SECRETS.map((guess) => {
        const shares = [{ column: 'sex', levels: new Map([[sex, share]]) }]
        if (namesSecret) shares.push({ column: 'secret', levels: new Map([[guess, share]]) })
        const ranges = [
          { column: 'age', ...near(age) },
          { column: 'income', ...near(income) },
        ]
        return ask(engine, model, { shares, ranges }, guess)
      }),
    )
    const most = Math.max(...reported)
    const guesses = SECRETS.filter((_, i) => reported[i] === most)
    if (guesses.includes(secret)) recovered += 1 / guesses.length
    if (most > 0) answered++
  }
  return { recovered: recovered / people.length, answered: answered / people.length }
}

/** @param {number} value */
function near(value) {
  return { min: value * 0.97, max: value * 1.03 }
}
