import { type Block, heading } from '../../document/block.ts'

/** What no synthetic row promises; the README says more. */
export const PROMISES: readonly Block[] = [
  heading('What synthetic rows do not promise'),
  {
    kind: 'list',
    items: [
      'Generated rows carry no proof of privacy: the more of them are generated per row of the seed, the better they show who is in it.',
      'They name no causes: a scenario weights the answers that the seed holds, and does not know why people do things.',
      'They are no new people: an interval says what the seed supports, however many rows are generated.',
      'What few rows of the seed show is uncertain, and what none shows cannot be generated.',
      'A level is written as it is, also one that a spreadsheet would take for a formula.',
    ],
  },
]
