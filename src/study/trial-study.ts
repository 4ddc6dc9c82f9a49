import type { Study } from './study.ts'

/**
 * The same study for a quick look: no scenario asks for more than `rows` rows, and the results go to a folder of their
 * own below those of the study. The state of such a study is its own as well: see `runPlaces` of the room `run`.
 */
export function trialStudy(study: Study, rows: number): Study {
  return {
    ...study,
    scenarios: study.scenarios.map((scenario) => (scenario.rows <= rows ? scenario : { ...scenario, rows })),
    outputDir: `${study.outputDir}/${trialFolder(rows)}`,
    trial: rows,
  }
}

/** Name of the folder of a trial, below that of the study. */
export const trialFolder = (rows: number): string => `trial-${rows}`
