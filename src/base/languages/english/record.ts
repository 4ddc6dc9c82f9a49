/** The page around the sections, and what is needed to cite the figures and to make them again. */

import { type Said, said } from '../../message/said.ts'
import { count } from './numbers.ts'

export const RECORD = {
  page: {
    about: 'what-if study',
    skip: 'Skip to the answer',
    contents: 'Contents',
    noNetwork: 'This file needs no network.',
    madeBy: <N>(tool: N, digest: N): Said<N> => said`Made by whatif ${tool} from a manifest with the digest ${digest}.`,
    figures: 'Figures',
    savePicture: 'Save picture as SVG',
  },
  findings: {
    title: 'Findings',
    more: <N>(left: number, file: N): Said<N> => said`${String(left)} more stand in ${file}.`,
  },
  provenance: {
    title: 'Provenance',
    toCite: 'To cite',
    toRepeat: 'To repeat',
    citation: <N>(of: {
      readonly study: N
      readonly run: N
      /** Null: the run has not ended. */
      readonly ended: string | null
      readonly tool: N
      readonly digest: N
      readonly studyDigest: N | null
    }): Said<N> =>
      said`${of.study}: what-if study on synthetic data. Run ${of.run}, ${of.ended === null ? 'not ended' : `ended ${of.ended}`}, whatif ${of.tool}. Manifest digest ${of.digest}${of.studyDigest === null ? '' : said`${', study digest '}${of.studyDigest}`}.`,
    repeat: <N>(file: N, hasChanges: boolean, command: N): Said<N> =>
      said`The manifest does not name the study file; it is usually called ${file}. The same study, seed files, seeds and engine give the same rows. ${hasChanges ? 'Files under version control had changes that the commit does not have. ' : ''}${command} compares the manifests of two runs.`,
    run: 'Run',
    data: 'Data and models',
    results: 'Results',
    scenarios: (scenarios: number): string => `${count(scenarios)} scenarios`,
    exitCode: (code: number, reasons: string): string => `, exit code ${code} (${reasons})`,
    notYet: 'not yet',
    uncommitted: ', with uncommitted changes',
    noFile: 'none: a dataset of the service',
    terms: {
      run: 'Run',
      endedAs: 'Ended as',
      started: 'Started',
      ended: 'Ended',
      service: 'Service',
      commit: 'Commit',
      scope: 'Scope',
      manifestDigest: 'Manifest digest',
      studyDigest: 'Study digest',
      dataset: 'Dataset',
      seedFile: 'Seed file',
      sha256: 'SHA-256 of it',
      fingerprint: 'Fingerprint',
      schema: 'Cleaned schema',
      model: 'Model',
      trained: 'Trained',
    },
    heads: {
      scenario: 'Scenario',
      status: 'Status',
      askedFor: 'Asked for',
      rows: 'Rows',
      fill: 'Fill',
      seed: 'Seed',
      file: 'File',
    },
  },
  markdown: {
    cite: <N>(of: {
      readonly digest: N
      readonly studyDigest: N | null
      readonly run: N
      readonly ended: N
      readonly tool: N
    }): Said<N> =>
      said`To cite: manifest digest ${of.digest}${of.studyDigest === null ? '' : said`${', study digest '}${of.studyDigest}`}. Run ${of.run}, ended ${of.ended}, whatif ${of.tool}.`,
    ready: (ready: number, scenarios: number): string => `${count(ready)} of ${count(scenarios)} scenarios ready`,
    rows: (rows: number, requested: number): string => `${count(rows)} of ${count(requested)} rows`,
    run: <N>(status: N, end: N, parts: string): Said<N> => said`Run ${status}${end}: ${parts}.`,
    exitCode: <N>(code: number, reasons: N): Said<N> => said`, exit code ${String(code)} (${reasons})`,
  },
}
