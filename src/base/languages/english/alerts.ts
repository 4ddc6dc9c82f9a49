/** What a reader must know before the figures. */

import { type Said, said } from '../../message/said.ts'
import { count, plural } from './numbers.ts'

export const ALERTS = {
  trial: (text: string): string => `This is a ${text}.`,
  incomplete: 'The run is not complete',
  resultsMayChange: (status: string): string => ` (${status}). Its results may change.`,
  /** How so many scenarios ended; ends with a colon. */
  ended: {
    failed: (scenarios: number): string => `${plural(scenarios, 'scenario')} failed:`,
    refused: (scenarios: number): string =>
      `${plural(scenarios, 'scenario')} ${scenarios === 1 ? 'was' : 'were'} refused:`,
    interrupted: (scenarios: number): string =>
      `${plural(scenarios, 'scenario')} ${scenarios === 1 ? 'was' : 'were'} interrupted:`,
    running: (scenarios: number): string =>
      `${plural(scenarios, 'scenario')} ${scenarios === 1 ? 'is' : 'are'} still running:`,
    not_started: (scenarios: number): string =>
      `${plural(scenarios, 'scenario')} ${scenarios === 1 ? 'was' : 'were'} not generated:`,
  },
  fewerRows: (scenarios: number): string =>
    `${plural(scenarios, 'scenario')} ${scenarios === 1 ? 'has' : 'have'} fewer rows than asked for:`,
  moreMixes: (left: number): string => `The manifest has ${plural(left, 'more nearest mix', 'more nearest mixes')}.`,
  rulesBroken: 'Rules are broken',
  rulesBrokenIn: <N>(strong: N, scenario: N, what: N): Said<N> => said`${strong} in ${scenario}: ${what}.`,
  gateFailed: 'Gate failed:',
  gateFailedInTrial: 'Gate failed, which does not count:',
  gate: <N>(head: N, of: N, gate: N, expected: N, found: string): Said<N> =>
    said`${head} ${of}, ${gate}: expected ${expected}, found ${found}.`,
  warnings: (gates: number): string => `${plural(gates, 'gate')} at warning level did not pass.`,
  notInData: (columns: number): string =>
    `Not compared, because the data do not have ${columns === 1 ? 'it' : 'them'}:`,
  thinEvidence: 'Thin evidence:',
  thinSupport: <N>(head: N, scenarios: N): Said<N> => said`${head} few rows of the seed support ${scenarios}.`,
  /** `head` ends with a colon, `what` is a list of names. */
  list: <N>(head: N, what: N): Said<N> => said`${head} ${what}.`,
  more: {
    reasons: (left: number): string => `${plural(left, 'reason')} more: see the tables below.`,
    scenarios: (left: number): string => `${plural(left, 'scenario')} more: see the tables below.`,
    gates: (left: number): string => `${plural(left, 'failed gate')} more: see the tables below.`,
  },
  ofRows: (counted: number, requested: number): string => `(${count(counted)} of ${count(requested)})`,
}
