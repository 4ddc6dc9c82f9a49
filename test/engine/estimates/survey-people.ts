/** People from whole numbers alone, so that any language can make them. */

export interface SurveyRow {
  readonly [column: string]: string | number | null
}

/** The 48 people whose differences test-vectors.json has. */
export function fortyEightPeople(): SurveyRow[] {
  return Array.from({ length: 48 }, (_, i) => {
    const region = ['North', 'South', 'East'][(i * 7 + Math.floor(i / 5)) % 3]!
    const isMember = (i * 5 + Math.floor(i / 3)) % 11 < 4
    const intends = (i * 3 + (isMember ? 4 : 0) + (region === 'East' ? 2 : 0)) % 10 < 5
    const spend = 5 + ((i * 17) % 23) + (isMember ? 9.5 : 0)
    return {
      region,
      member: isMember ? 'Yes' : 'No',
      age: 18 + ((i * 13) % 50),
      intent: intends ? 'Yes' : 'No',
      spend,
      'spend if told': i % 9 === 4 ? null : spend,
      weight: [0.5, 1, 1.5, 2][Math.floor(i / 2) % 4]!,
      stratum: Math.floor(i / 24),
      cluster: Math.floor(i / 4),
    }
  })
}

/** Remainders below 1009 that look drawn. */
const mixed = (i: number, k: number): number => (((i + 3) * (i + 7 * k) * 31 + 577 * i + 101 * k) % 1009) / 1009

/** 240 people in four strata of six clusters each, with relations of all strengths. */
export function people240(): SurveyRow[] {
  return Array.from({ length: 240 }, (_, i) => {
    const cluster = Math.floor(i / 10)
    const stratum = Math.floor(cluster / 6)
    const region = ['North', 'South', 'East', 'West'][Math.floor(4 * mixed(i, 1))]!
    const isMember = mixed(i, 2) < 0.3 + 0.1 * stratum
    const isGold = mixed(i, 3) < (isMember ? 0.4 : 0.2)
    const liking = mixed(i, 4) + (isMember ? 0.35 : 0) + 0.04 * (cluster % 5)
    return {
      region,
      member: i % 31 === 7 ? null : isMember ? 'Yes' : 'No',
      plan: isGold ? 'gold' : region === 'East' ? 'silver' : 'basic',
      age: 18 + Math.floor(60 * mixed(i, 5)),
      answer: liking > 0.8 ? 'yes' : liking > 0.4 ? 'maybe' : 'no',
      spend: i % 17 === 3 ? null : Math.round(200 * liking * (1 + mixed(i, 6)) + (isGold ? 50 : 0)),
      weight: 1 + Math.floor(8 * mixed(i, 7)) / 4,
      stratum,
      cluster,
    }
  })
}
