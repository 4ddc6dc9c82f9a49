/**
 * What a client of the service can do to learn a person's secret from counts: it knows the person's sex, age and income
 * within 3 %, asks one scenario for each value of the secret, and reads everything in the answers.
 */
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { DataService } from '../data/data-service.ts'

export interface Person {
  readonly sex: string
  readonly age: number
  readonly income: number
  readonly secret: string
}

export const SECRETS = Array.from({ length: 6 }, (_, i) => `secret ${i}`)

/** People whose secret nothing reveals. */
export function peopleOf(count: number, seed: number): Person[] {
  const random = new RandomStream(seed, PURPOSE.value)
  return Array.from({ length: count }, () => {
    const age = 18 + Math.floor(62 * random.real() ** 1.4)
    return {
      sex: random.real() < 0.5 ? 'f' : 'm',
      age,
      income: Math.round(15_000 + 400 * age * random.real() + 30_000 * random.real() ** 3),
      secret: SECRETS[Math.floor(SECRETS.length * random.real())]!,
    }
  })
}

/** People of a crowd who have its secret, who have the next one (always told, and enough for a part of many rows), and who have each of the others. */
const CROWD = { alike: 800, ofNext: 100, ofEachOther: 8 }

const sizeOf = (secret: number, crowd: number) =>
  secret === crowd ? CROWD.alike : secret === (crowd + 1) % SECRETS.length ? CROWD.ofNext : CROWD.ofEachOther

/** For each secret a crowd of people of about one age and income, most of whom have it; unlike everybody else. */
export function crowdsOf(): Person[][] {
  return SECRETS.map((_, crowd) =>
    SECRETS.flatMap((secret, place) =>
      Array.from({ length: sizeOf(place, crowd) }, (_, i) => ({
        sex: i % 2 === 0 ? 'f' : 'm',
        age: 88 + (i % 3),
        income: Math.round(200_000 * 1.2 ** crowd) + i,
        secret,
      })),
    ),
  )
}

export function csvOf(people: readonly Person[]): string {
  const rows = people.map(({ sex, age, income, secret }) => `${sex},${age},${income},${secret}\n`)
  return `sex,age,income,secret\n${rows.join('')}`
}

/** More than 100 for each row of the seed that a smaller part of a crowd has: the evidence cap holds. */
const MANY_ROWS = 10_000

const near = (value: number) => ({ min: value * 0.97, max: value * 1.03 })

/** The content of one answer, as the service wrote it. */
// biome-ignore lint/suspicious/noExplicitAny: the attacker reads answers of every shape
type Answer = any

/** Everything that is revealed when one value of the secret is tried. */
export interface Answers {
  readonly guess: string
  /** All rows are requested to be of the group and to have the secret. */
  readonly all: Answer
  /** Most rows are. */
  readonly most: Answer
  /** A few more rows than usual have it. */
  readonly some: Answer
  /** All other secrets share the rows, and it has none. */
  readonly none: Answer
  /** Jobs of the first three. */
  readonly jobs: readonly Answer[]
  /** The same mix against everybody, and against the group whatever its secret. */
  readonly estimates: readonly Answer[]
}

/** The group alone, without the secret. */
interface GroupAlone {
  readonly estimates: Answer
  /** Secrets in the rows of a generation, by level. */
  readonly rows: ReadonlyMap<string, number>
}

export interface Attack {
  readonly person: Person
  readonly answers: readonly Answers[]
  readonly group: GroupAlone
}

/** Sends every request of the attack for each person, a few persons at a time. */
export async function attack(service: DataService, datasetId: string, people: readonly Person[]): Promise<Attack[]> {
  const found: Attack[] = []
  const waiting = people.entries()
  const one = async (): Promise<void> => {
    for (const [i, person] of waiting) found[i] = await attackOne(service, datasetId, person)
  }
  await Promise.all(Array.from({ length: 4 }, one))
  return found
}

async function attackOne(service: DataService, datasetId: string, person: Person): Promise<Attack> {
  const { sex, age, income } = person
  const numeric = { age: near(age), income: near(income) }
  const group = { sex: { [sex]: 1 } }
  const withSecret = (share: number, guess: string) => ({
    categorical: { sex: { [sex]: share }, secret: { [guess]: share } },
    numeric,
  })
  const post = async (operation: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await service.ask(`/v1/datasets/${datasetId}/${operation}`, init)).body
  }
  const generate = async (conditions: object, row_count: number): Promise<Answer> =>
    await post('generations', { conditions, row_count, seed: 1, output_format: 'csv', wait_seconds: 60 })
  const answers: Answers[] = []
  for (const guess of SECRETS) {
    const others = Object.fromEntries(SECRETS.filter((other) => other !== guess).map((other) => [other, 0.2]))
    const all = await generate(withSecret(1, guess), 100)
    const most = await generate(withSecret(0.9, guess), MANY_ROWS)
    const slightly = { categorical: { ...group, secret: { [guess]: 0.3 } }, numeric }
    const some = await generate(slightly, 1000)
    const none = await generate({ categorical: { ...group, secret: others }, numeric }, 100)
    const jobs = []
    for (const { job_id } of [all, most, some]) jobs.push((await service.ask(`/v1/jobs/${job_id}`)).body)
    const outcomes = [{ column: 'secret' }, { column: 'age' }]
    const baseline = { categorical: group, numeric }
    const estimates = []
    for (const scenario of [withSecret(0.9, guess), slightly]) {
      estimates.push(
        await post('estimates', { scenario, outcomes }),
        await post('estimates', { scenario, baseline, outcomes }),
      )
    }
    answers.push({ guess, all, most, some, none, jobs, estimates })
  }
  const rows = new Map<string, number>()
  const generated = await generate({ categorical: group, numeric }, 100)
  if (generated.artifact_url !== undefined) {
    const { body } = await service.ask(generated.artifact_url)
    for (const guess of SECRETS) rows.set(guess, String(body).split(guess).length - 1)
  }
  const outcomes = [{ column: 'secret' }]
  return {
    person,
    answers,
    group: { rows, estimates: await post('estimates', { scenario: { categorical: group, numeric }, outcomes }) },
  }
}

type Channel = (own: Answers, attacked: Attack) => number

const sumOf = (values: readonly (number | undefined)[]): number => values.reduce<number>((sum, v) => sum + (v ?? 0), 0)

const inEach =
  (of: (generation: Answer) => number | undefined): Channel =>
  ({ all, most, some }) =>
    sumOf([of(all), of(most), of(some)])

/** Numbers that may reveal a secret: the attacker picks the guess with the largest, or smallest, number. */
export const CHANNELS: Readonly<Record<string, Channel>> = {
  'rows that are billed': inEach(({ rows_generated }) => rows_generated),
  'effective rows of evidence': inEach(({ evidence }) => evidence?.effective_rows),
  'largest tilt of evidence': inEach(({ evidence }) => -(evidence?.largest_tilt ?? Number.MAX_VALUE)),
  'fill and share in range of evidence': inEach(({ evidence }) => sumOf([evidence?.fill, evidence?.in_range_share])),
  'seed rows named in a shortfall': inEach(({ shortfall }) =>
    sumOf((shortfall?.binding ?? []).map(({ seed_rows }: Answer) => seed_rows)),
  ),
  'numbers in the words of a shortfall': inEach(({ shortfall }) => sumOf(numbersIn(shortfall?.detail))),
  'numbers in the words of an error': ({ jobs }) => sumOf(jobs.flatMap(({ error }) => numbersIn(error?.detail))),
  'size of the file': inEach(({ artifact }) => artifact?.bytes),
  'effective rows of estimates': ({ estimates }) =>
    sumOf(estimates.flatMap(({ scenario, baseline }) => [scenario?.effective_rows, baseline?.effective_rows])),
  'number of levels in estimates': ({ estimates }) =>
    sumOf(estimates.flatMap(({ outcomes }) => outcomes.map(({ levels }: Answer) => levels?.length))),
  'share of the secret in estimates of the group': ({ guess }, { group }) => {
    const levels: Answer[] = group.estimates.outcomes[0].levels
    return levels.find(({ level }) => level === guess)?.scenario ?? 0
  },
  'rows of the secret in a generation of the group': ({ guess }, { group }) => group.rows.get(guess) ?? 0,
  'rows, then effective rows': (own, attacked) =>
    1e6 * CHANNELS['rows that are billed']!(own, attacked) + CHANNELS['effective rows of evidence']!(own, attacked),
  'not answered without it': ({ none }) => -(none.rows_generated ?? 0),
  'an answer unlike all others': (own, { answers }) =>
    -answers.filter((other) => withoutNames(other) === withoutNames(own)).length,
}

function numbersIn(words: string | undefined): number[] {
  return (words?.replaceAll(/secret \d/g, '').match(/\d[\d,.]*/g) ?? []).map((n) => Number(n.replaceAll(/,|\.$/g, '')))
}

/** Fields that differ between any two answers: identifiers, times, the file. */
const PASSING = ['request_id', 'generation_id', 'job_id', 'created_at', 'expires_at', 'artifact_url', 'artifact']

/** Figures that follow the model's own shares, which differ a little for each secret; they have signals of their own. */
const GRADUAL = ['largest_tilt', 'in_range_share', 'scenario', 'baseline', 'outcomes', 'effective_rows']

const LEFT_OUT = new Set([...PASSING, ...GRADUAL])

function withoutNames({ guess, none: _, ...answers }: Answers): string {
  return JSON.stringify(answers, (key, value) => (LEFT_OUT.has(key) ? undefined : value)).replaceAll(
    guess,
    'the secret',
  )
}

/** The share of these people whose secret is guessed from the answers, ties by lot: by the largest and by the smallest number. */
export function recovered(attacks: readonly Attack[], channel: Channel): { largest: number; smallest: number } {
  const partBy = (extreme: (...numbers: number[]) => number): number => {
    const hits = attacks.map((attacked) => {
      const numbers = attacked.answers.map((own) => channel(own, attacked))
      const guesses = SECRETS.filter((_, i) => numbers[i] === extreme(...numbers))
      return guesses.includes(attacked.person.secret) ? 1 / guesses.length : 0
    })
    return sumOf(hits) / hits.length
  }
  return { largest: partBy(Math.max), smallest: partBy(Math.min) }
}
