import type { Scenario, Study } from './study.ts'

/**
 * The scenarios that a study asks for, in file order: layered, with its matrices expanded, as they would be sent. The
 * work is done by `loadStudy`, because what is wrong with an expansion is a finding about the file; a study that it
 * returns is whole.
 */
export function expand(study: Study): readonly Scenario[] {
  return study.scenarios
}
