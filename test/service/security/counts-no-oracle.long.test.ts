/**
 * Counts as an oracle, over HTTP. Exact counts named the secret of 97 % of members among 1,000; six values by chance are
 * 17 %. `test/engine/scenario/no-oracle.long.test.ts` tries the same in the engine, on more people and fewer ways.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataService, form, startDataService } from '../data/data-service.ts'
import {
  crowdsOf,
  csvOf,
  type Interrogation,
  interrogate,
  peopleOf,
  recovered,
  SECRETS,
  TELLS,
} from './counts-attack.ts'

const CHANCE = 1 / SECRETS.length

/** Among 1,000 a known group is one or a few people; among 5,000 about half of the groups are large enough to be answered. */
describe.each([
  { members: 1000, targets: 60 },
  { members: 5000, targets: 150 },
])('among $members members', ({ members, targets }) => {
  let service: DataService
  let ofMembers: Interrogation[]
  let ofCrowds: Interrogation[]

  beforeAll(async () => {
    service = await startDataService()
    const people = peopleOf(members, 1)
    const crowds = crowdsOf()
    const parts = { wait_seconds: '60', seed_file: new Blob([csvOf([...people, ...crowds.flat()])]) }
    const { body } = await service.ask('/v1/datasets', { method: 'POST', body: form(parts) })
    expect(body.status).toBe('ready')
    ofMembers = await interrogate(service, body.dataset_id, people.slice(0, targets))
    const ofOwnSecret = crowds.map((crowd, i) => crowd.find(({ secret }) => secret === SECRETS[i])!)
    ofCrowds = await interrogate(service, body.dataset_id, ofOwnSecret)
  })
  afterAll(async () => {
    await service.close()
    expect(service.errors).toEqual([])
  })

  it.each(Object.entries(TELLS))('%s: recovers the secret of no more people than chance', (_, tell) => {
    const { largest, smallest } = recovered(ofMembers, tell)
    // At chance the standard error is 3 points among 150 people; where all answers are alike there is none.
    expect(largest).toBeLessThan(CHANCE + 0.05)
    expect(smallest).toBeLessThan(CHANCE + 0.05)
  })

  it.each([
    'rows that are billed',
    'effective rows of evidence',
    'rows, then effective rows',
    'effective rows of estimates',
  ])('%s: recovers what may be told, the secret that a crowd has in common', (name) => {
    expect(recovered(ofCrowds, TELLS[name]!).largest).toBe(1)
  })

  it('an answer unlike all others shows for a crowd, so that it would show for a person', () => {
    const { largest } = recovered(ofCrowds, TELLS['an answer unlike all others']!)
    expect(largest).toBeGreaterThan(2 * CHANCE)
  })

  it('refusals, deliveries in part and whole ones are among the answers', () => {
    const hearings = [...ofMembers, ...ofCrowds].flatMap((interrogation) => interrogation.hearings)
    const statuses = new Set(
      hearings.flatMap(({ all, most, some, none }) => [all, most, some, none]).map((g) => g.status),
    )
    expect([...statuses].sort()).toEqual(['failed', 'partial', 'ready'])
  })
})
