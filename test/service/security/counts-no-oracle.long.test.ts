/**
 * Counts as an oracle, over HTTP. Exact counts named the secret of 97 % of members among 1,000; six values by chance are
 * 17 %. `test/engine/scenario/no-oracle.long.test.ts` tries the same in the engine, on more people and fewer ways.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService } from '../data/data-service.ts'
import { type Attack, attack, CHANNELS, crowdsOf, csvOf, peopleOf, recovered, SECRETS } from './counts-attack.ts'

const CHANCE = 1 / SECRETS.length

/** A known group is one or a few people. Of more people the engine's test attacks many more. */
const MEMBERS = 1000

/**
 * Each takes 80 requests. Where counts are exact nearly everybody is named, where nothing is told a sixth: eight people tell
 * one from the other by more than four standard errors of chance.
 */
const TARGETS = 8

describe(`among ${MEMBERS} members`, () => {
  let service: DataService
  let ofMembers: Attack[]
  let ofCrowds: Attack[]

  beforeAll(async () => {
    service = await startDataService()
    const people = peopleOf(MEMBERS, 1)
    const crowds = crowdsOf()
    const parts = { wait_seconds: '60', seed_file: new Blob([csvOf([...people, ...crowds.flat()])]) }
    const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
    expect(body.status).toBe('ready')
    ofMembers = await attack(service, body.dataset_id, people.slice(0, TARGETS))
    const ofOwnSecret = crowds.map((crowd, i) => crowd.find(({ secret }) => secret === SECRETS[i])!)
    ofCrowds = await attack(service, body.dataset_id, ofOwnSecret)
  })
  afterAll(async () => {
    await service.close()
    expect(service.errors).toEqual([])
  })

  it.each(Object.entries(CHANNELS))('%s: recovers the secret of no more people than chance', (_, channel) => {
    const { largest, smallest } = recovered(ofMembers, channel)
    // Four standard errors of chance, because many channels are tried. Exact counts named nearly everybody; attacks of many people are in the engine's tests.
    const most = CHANCE + 4 * Math.sqrt((CHANCE * (1 - CHANCE)) / TARGETS)
    expect(largest).toBeLessThan(most)
    expect(smallest).toBeLessThan(most)
  })

  it.each([
    'rows that are billed',
    'effective rows of evidence',
    'rows, then effective rows',
    'effective rows of estimates',
  ])('%s: recovers the secret that a crowd has in common, which may be known', (name) => {
    expect(recovered(ofCrowds, CHANNELS[name]!).largest).toBe(1)
  })

  it('an answer unlike all others appears for a crowd, so it would appear for a person', () => {
    const { largest } = recovered(ofCrowds, CHANNELS['an answer unlike all others']!)
    expect(largest).toBeGreaterThan(2 * CHANCE)
  })

  it('the answers include refusals, parts and full deliveries', () => {
    const answers = [...ofMembers, ...ofCrowds].flatMap((attacked) => attacked.answers)
    const statuses = new Set(
      answers.flatMap(({ all, most, some, none }) => [all, most, some, none]).map((g) => g.status),
    )
    expect([...statuses].sort()).toEqual(['failed', 'partial', 'ready'])
  })
})
