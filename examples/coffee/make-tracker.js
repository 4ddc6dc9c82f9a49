#!/usr/bin/env node
/**
 * Makes `tracker.csv`: a made-up monthly coffee tracker, one row per respondent, for the example study.
 *
 *     node examples/coffee/make-tracker.js            writes tracker.csv beside this file
 *     node examples/coffee/make-tracker.js --stdout   prints it
 *
 * No respondent and no brand is real. The same seed gives the same bytes on every machine: only + - * /, rounding and
 * comparisons touch the numbers that are written.
 *
 * What goes wrong with such files goes wrong here on purpose, so that the example shows what cleaning does:
 *   headers with underscores        become dots (`purchase_intent` → `purchase.intent`)
 *   respondent_id                   an identifier, dropped
 *   interview_mode                  near-constant (about 99.5 % web), dropped
 *   employment "Military"           a level of a handful of rows, merged into missing
 *   preferred_drink "Decaf cortado" likewise
 *   income_band                     8 % refused to say (empty)
 *   satisfaction, last_visit        empty where there was no visit (structural)
 *   spend_last_month                a spike at zero, decimals, a long tail
 *   household_size, Likert items    whole numbers that are answers, not quantities
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SEED = 20261120
const RESPONDENTS = 6000

/** mulberry32: 32 bits of state, exact integer arithmetic, uniform in [0, 1). */
function makeRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Draws a key of `weights` in proportion to its weight. */
function pick(random, weights) {
  let total = 0
  for (const weight of Object.values(weights)) total += weight
  let left = random() * total
  for (const [key, weight] of Object.entries(weights)) {
    left -= weight
    if (left < 0) return key
  }
  return Object.keys(weights).at(-1)
}

/** Roughly normal with mean 0 and variance 1: the sum of twelve uniforms, less six. */
function bell(random) {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random()
  return sum
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))
const likert = (score, top) => clamp(Math.round(score), 1, top)

const REGIONS = { North: 26, South: 31, East: 18, West: 21, Islands: 4 }
const GENDERS = { Female: 51, Male: 47, 'Prefer to self-describe': 2 }

/** Adults of 18 to 84; a draw outside is thrown again, so that no age piles up at the ends. */
function ageOf(random) {
  for (;;) {
    const age = Math.round(46 + 17 * bell(random))
    if (age >= 18 && age <= 84) return age
  }
}

function employmentOf(random, age) {
  if (age >= 66) return pick(random, { Retired: 88, 'Part-time': 9, 'Full-time': 3 })
  if (age <= 24) return pick(random, { Student: 52, 'Part-time': 18, 'Full-time': 22, 'Not working': 8 })
  return pick(random, { 'Full-time': 62, 'Part-time': 17, 'Self-employed': 9, 'Not working': 11.9, Military: 0.08 })
}

function incomeOf(random, employment, region) {
  if (random() < 0.08) return ''
  const lift = (employment === 'Full-time' || employment === 'Self-employed' ? 1.4 : 0) + (region === 'South' ? 0.4 : 0)
  const bands = ['Under 20k', '20k-40k', '40k-60k', '60k-90k', 'Over 90k']
  return bands[clamp(Math.round(1 + lift + bell(random)), 0, 4)]
}

function brandOf(random, region, age, income) {
  return pick(random, {
    Arabella: 24 + (region === 'North' ? 14 : 0),
    'Bean Street': 20 + (age < 35 ? 16 : 0),
    'Crema Nova': 12 + (income === '60k-90k' || income === 'Over 90k' ? 18 : 0),
    Dawnroast: 18 + (region === 'West' ? 10 : 0),
    'Own label': 20 + (income === 'Under 20k' ? 22 : 0) + (age > 60 ? 6 : 0),
    Islander: region === 'Islands' ? 30 : 0.6,
  })
}

function drinkOf(random, age) {
  return pick(random, {
    Cappuccino: 28,
    'Filter coffee': 14 + (age > 50 ? 22 : 0),
    Espresso: 18,
    'Flat white': 10 + (age < 45 ? 10 : 0),
    'Iced coffee': age < 30 ? 22 : 4,
    'Decaf cortado': 0.04,
  })
}

function respondent(random, index) {
  const region = pick(random, REGIONS)
  const gender = pick(random, GENDERS)
  const age = ageOf(random)
  const employment = employmentOf(random, age)
  const householdSize = clamp(Math.round(1.4 + (age > 28 && age < 55 ? 1.4 : 0.3) + 0.9 * bell(random)), 1, 6)
  const income = incomeOf(random, employment, region)
  const brand = brandOf(random, region, age, income)
  const drink = drinkOf(random, age)

  const member = random() < 0.24 + (brand === 'Bean Street' ? 0.2 : 0) + (age < 40 ? 0.08 : 0)
  const lapsed = random() < (member ? 0.06 : 0.23)
  const visits = lapsed ? 0 : clamp(Math.round(4 + (member ? 4 : 0) + 3.2 * bell(random) + (age < 45 ? 1 : 0)), 1, 30)
  const ticket = 2.2 + 0.4 / (1.08 - random()) + (brand === 'Crema Nova' ? 1.3 : 0) - (brand === 'Own label' ? 0.9 : 0)
  const spend = visits === 0 ? 0 : Math.max(1.2, visits * ticket)

  const fairness = likert(
    3.1 - (brand === 'Crema Nova' ? 0.7 : 0) + (brand === 'Own label' ? 0.8 : 0) + 0.9 * bell(random),
    5,
  )
  const mood = 3.3 + (member ? 0.4 : 0) + 0.3 * (fairness - 3) + 0.8 * bell(random)
  const satisfaction = visits === 0 ? '' : String(likert(mood, 5))
  const recommend = clamp(Math.round(2 * mood + 0.8 * bell(random)), 0, 10)
  const quality = likert(mood + 0.6 * bell(random), 7)
  const intentScore = mood + (visits === 0 ? -1.6 : 0) + 0.7 * bell(random)
  const intent = intentScore > 3.7 ? 'Yes' : intentScore > 2.7 ? 'Unsure' : 'No'
  const daysAgo = Math.floor(random() * 30)
  const lastVisit = visits === 0 ? '' : `2026-10-${String(31 - daysAgo).padStart(2, '0')}`

  return [
    `R${100001 + index}`,
    random() < 0.995 ? 'web' : 'phone',
    region,
    gender,
    age,
    employment,
    householdSize,
    income,
    brand,
    drink,
    member ? 'Yes' : 'No',
    visits,
    spend.toFixed(2),
    satisfaction,
    quality,
    fairness,
    recommend,
    intent,
    lastVisit,
  ]
}

const HEADER = [
  'respondent_id',
  'interview_mode',
  'region',
  'gender',
  'age',
  'employment',
  'household_size',
  'income_band',
  'main_brand',
  'preferred_drink',
  'loyalty_member',
  'visits_last_month',
  'spend_last_month',
  'satisfaction',
  'taste_rating',
  'price_fairness',
  'recommend_0_10',
  'purchase_intent',
  'last_visit',
]

export function makeTracker() {
  const random = makeRandom(SEED)
  const lines = [HEADER.join(',')]
  for (let index = 0; index < RESPONDENTS; index++) lines.push(respondent(random, index).join(','))
  return `${lines.join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--stdout')) process.stdout.write(makeTracker())
  else writeFileSync(new URL('tracker.csv', import.meta.url), makeTracker())
}
