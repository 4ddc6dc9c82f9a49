import { wrapped } from '../../base/text/wrapped-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile, type StudyFile } from '../../local/study-file.ts'
import { compareManifests, type DifferenceKind, type ManifestDifference } from '../../manifest/compare-manifests.ts'
import { compareWithStudy } from '../../manifest/compare-with-study.ts'
import { compareStudies } from '../../study/differences/compare-studies.ts'
import type { Difference } from '../../study/differences/tree-differences.ts'
import { loadStudy } from '../../study/load-study.ts'
import type { Study } from '../../study/study.ts'
import { readManifestFile } from '../files/manifest-file.ts'
import { readAtRevision } from '../git-revision.ts'
import { differenceText } from '../output/difference-text.ts'
import { jsonDocument } from '../output/json-document.ts'
import { describeTerminal, type Terminal } from '../output/terminal.ts'
import { reportInvalid } from '../steps/report-study.ts'

export interface DiffFlags {
  readonly json?: boolean
  readonly color?: boolean
}

/** What was compared, and how it differs; `data` is what `--json` says besides. */
interface Compared {
  readonly data: object
  readonly renamed: ReadonlyMap<string, string>
  readonly differences: readonly Difference[]
  readonly tables: readonly { readonly title: string; readonly differences: readonly Difference[] }[]
}

const TITLES: Readonly<Record<DifferenceKind, string>> = {
  input: 'Asked for',
  share: 'Shares',
  result: 'Results',
  gate: 'Gates',
}

/** `whatif diff`: two manifests, or a study and a manifest or git revision of it. Differences are no failure: the exit code is 0. */
export async function diff(
  first: string,
  second: string | undefined,
  flags: DiffFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const terminal = describeTerminal(flags, env)
  if (!first.endsWith('.json')) return diffStudy(first, second ?? 'HEAD', flags, terminal)
  if (second === undefined) throw new SetupError(2, 'a manifest is compared with another: name both')
  const [before, after] = [await readManifestFile(first), await readManifestFile(second)]
  const compared = compareManifests(before.manifest, after.manifest)
  const ofKind = (kind: DifferenceKind): readonly ManifestDifference[] =>
    compared.differences.filter((difference) => difference.kind === kind)
  return tell(
    {
      ...compared,
      data: { before: before.digest, after: after.digest },
      tables: (Object.keys(TITLES) as DifferenceKind[]).map((kind) => ({
        title: TITLES[kind],
        differences: ofKind(kind),
      })),
    },
    flags,
    terminal,
  )
}

async function diffStudy(path: string, other: string, flags: DiffFlags, terminal: Terminal): Promise<number> {
  const file = await readStudyFile(path)
  if (file.study === null) return reportInvalid('diff', [file], flags, terminal)
  if (other.endsWith('.json')) {
    const { manifest, digest } = await readManifestFile(other)
    const compared = compareWithStudy(manifest, file.study)
    const tables = [{ title: 'Since the run', differences: compared.differences }]
    return tell({ ...compared, data: { before: digest }, tables }, flags, terminal)
  }
  return diffRevision({ ...file, study: file.study }, other, flags, terminal)
}

async function diffRevision(
  file: StudyFile & { readonly study: Study },
  revision: string,
  flags: DiffFlags,
  terminal: Terminal,
): Promise<number> {
  const text = await readAtRevision(file.path, revision)
  const name = `${file.name}@${revision}`
  const { study, diagnostics } = loadStudy(text, { filename: name })
  if (study === null) return reportInvalid('diff', [{ ...file, name, text, study, diagnostics }], flags, terminal)
  const compared = compareStudies(study, file.study)
  const tables = [{ title: `Since ${revision}`, differences: compared.differences }]
  return tell({ ...compared, data: { revision }, tables }, flags, terminal)
}

function tell({ data, renamed, differences, tables }: Compared, flags: DiffFlags, terminal: Terminal): number {
  if (flags.json) {
    const all = {
      ...data,
      same: differences.length === 0 && renamed.size === 0,
      renamed: [...renamed].map(([from, to]) => ({ from, to })),
      differences: differences.map(({ before = null, after = null, ...rest }) => ({ ...rest, before, after })),
    }
    terminal.stdout.write(jsonDocument({ command: 'diff', exitCode: 0, data: all, diagnostics: [] }))
    return 0
  }
  const { stdout, width } = terminal
  for (const [from, to] of renamed) stdout.write(wrapped('', `renamed: ${from} → ${to}`, width))
  for (const { title, differences } of tables) stdout.write(differenceText(title, differences, width))
  if (differences.length === 0) stdout.write(renamed.size === 0 ? 'no differences\n' : 'no other differences\n')
  return 0
}
