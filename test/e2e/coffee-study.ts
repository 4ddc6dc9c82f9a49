import { shortTracker } from '../cli/project-folder.ts'

/** The columns that the study names, for respondents of the short tracker. */
export const coffeeTracker = (): string => shortTracker(['region', 'age', 'loyalty_member', 'purchase_intent'])

/** Three scenarios over the example's tracker, one per format, one with two shares and a range. */
export const coffeeStudy = (name: string, more = '') => `version: 1
name: ${name}
datasets:
  tracker: { file: tracker.csv }
defaults: { rows: 1000, seed: 5 }
scenarios:
  as-is: {}
  keen:
    format: csv
    shares: { purchase.intent: { "Yes": 0.7 } }
  north:
    format: arrow
    shares:
      region: { North: 0.6, South: 0.4 }
      loyalty.member: { "Yes": 0.5 }
    ranges:
      age: { min: 25, max: 55 }
${more}`

export const COFFEE_ARTIFACTS = ['as-is.parquet', 'keen.csv', 'north.arrow']
