import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * A new member of each list of kinds, as texts that are put before other texts of the files that have the list, and the files of `src`
 * that the compiler then names. A file that decides by kind and is not among them would ignore a new kind without a word.
 */
const PROBES: readonly {
  readonly of: string
  readonly edits: readonly (readonly [file: string, before: string, added: string])[]
  readonly named: readonly string[]
}[] = [
  {
    of: 'a kind of condition',
    edits: [
      [
        'study/conditions/condition.ts',
        '  readonly cell: CellCondition\n',
        "  readonly probe: { readonly kind: 'probe'; readonly column: string; readonly place: SourceRange }\n",
      ],
    ],
    named: [
      'answers/counts/condition-results.ts',
      'answers/words/conditions-lines.ts',
      'runner/plan/condition-notes.ts',
      'study/conditions/condition-kind.ts',
      'study/conditions/kinds.ts',
      'study/live-schema/check-conditions.ts',
    ],
  },
  {
    of: 'a kind of outcome',
    edits: [
      [
        'study/outcomes/outcome.ts',
        '  readonly quantiles: QuantilesOutcome\n',
        "  readonly probe: { readonly kind: 'probe'; readonly column: string; readonly place: SourceRange }\n",
      ],
      [
        'study/outcomes/outcome.ts',
        '} as const satisfies { readonly [K in OutcomeKindName]',
        "  probe: { singular: 'probe', needs: null, fits: mayHaveNumbers, within: null, counted: 'numbers', gateAdvice: '', read: () => [], value: () => undefined },\n",
      ],
      ['records/manifest/comparisons.ts', "'quantiles'])", "'probe', "],
      ['records/manifest/comparisons.ts', "'segments', 'where'])", "'probe', "],
      [
        'records/manifest/comparisons.ts',
        '  quantiles: quantileDifferences.optional(),\n',
        '  probe: meanDifferences.optional(),\n',
      ],
      [
        'records/manifest/comparisons.ts',
        '  quantiles: quantileDifferences.optional().describe',
        '  probe: meanDifferences.optional(),\n',
      ],
      [
        'records/manifest/comparisons.ts',
        '      means: byName(size.nullable()),\n',
        '      probe: byName(size.nullable()).optional(),\n',
      ],
      ['records/plan-estimates.ts', '  means: byName(Difference)', '  probe: byName(Difference).optional(),\n'],
    ],
    named: [
      'answers/comparisons/differences.ts',
      'answers/words/not-compared-text.ts',
      'explore/explored-dataset.ts',
      'report/waves/wave-answers.ts',
      'runner/estimates/estimate-questions.ts',
    ],
  },
  {
    of: 'a kind of gate',
    edits: [
      [
        'study/gates/gate.ts',
        '} as const satisfies Record<string, GateForm>',
        "  probe: { number: 'most', hasColumns: false },\n",
      ],
    ],
    named: [
      'answers/gates/gates.ts',
      'answers/manifest/review-manifest.ts',
      'answers/words/gate-text.ts',
      'cli/explain/gate-meanings.ts',
      'study/hashing/fingerprint.ts',
      'study/load/check-gates.ts',
    ],
  },
  {
    of: 'a status of a scenario',
    edits: [['records/manifest/scenarios.ts', "'interrupted'])", "'tried', "]],
    named: [
      'answers/manifest/scenario-statuses.ts',
      'cli/explain/word-meanings.ts',
      'report/html/answer/alerts.ts',
      'report/report-junit.ts',
      'report/report-markdown.ts',
      'runner/conclude/run-verdict.ts',
    ],
  },
  {
    of: 'a format that a service makes',
    edits: [
      ['base/result-formats.ts', '} as const\n\nexport type OutputFormat', "  probe: 'application/probe',\n"],
      [
        'base/result-formats.ts',
        '} as const satisfies { readonly [F in OutputFormat]',
        "  probe: { artifact: 'probe', mayHoldFormulas: false },\n",
      ],
    ],
    named: [
      'data/export/export-result.ts',
      'formats/open-table-writer.ts',
      'formats/read-artifact.ts',
      'formats/read-first-rows.ts',
      'formats/rename-columns.ts',
    ],
  },
  {
    of: 'a format of reports',
    edits: [['report/report.ts', "'markdown' | 'html' | 'csv' | 'junit'\n", "'probe' | "]],
    named: ['cli/commands/report.ts', 'report/report.ts'],
  },
  {
    of: 'a kind of column',
    edits: [
      ['base/column-kind.ts', "'unknown']: KindTraits", "'probe' | "],
      ['base/column-kind.ts', '  unknown: {', '  probe: { mayHaveLevels: true, mayHaveNumbers: false },\n'],
    ],
    named: ['study/hashing/fingerprint.ts'],
  },
  {
    of: 'an option of a run',
    edits: [['runner/interface/run-options.ts', '  readonly locked: boolean\n', '  readonly probe: boolean\n']],
    named: ['local/local-run.ts'],
  },
  {
    of: 'a setting that only the table has',
    edits: [
      [
        'service/settings/settings-table.ts',
        '} as const satisfies Entries<Settings>',
        "  probe: flagged('--probe <on|off>', { fallback: 'on', meaning: 'probe', parse: values.onOrOff }),\n",
      ],
    ],
    named: ['service/settings/settings-table.ts'],
  },
  {
    of: 'a setting of the service',
    edits: [['service/settings/settings.ts', '  readonly host: string\n', '  readonly other: boolean\n']],
    named: ['service/settings/complete-settings.ts'],
  },
]

const root = resolve(import.meta.dirname, '..')
let folder: string
let named: ReadonlySet<string>

/** The files of `src` that the compiler finds faults in. */
async function faultyFiles(): Promise<ReadonlySet<string>> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const output = await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.json'], {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  )
  return new Set([...output.matchAll(/^src\/(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file!))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-kinds-'))
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true })
  await cp(join(root, 'schemas'), join(folder, 'schemas'), { recursive: true })
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const options = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, include: ['src'] }))
  for (const [file, before, added] of PROBES.flatMap(({ edits }) => edits)) {
    const path = join(folder, 'src', file)
    const text = await readFile(path, 'utf8')
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`)
    await writeFile(
      path,
      text.replace(before, () => `${added}${before}`),
    )
  }
  named = await faultyFiles()
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the compiler names what a new kind must enter', () => {
  it.each(PROBES)('$of', ({ named: expected }) => {
    expect(expected.filter((file) => !named.has(file))).toEqual([])
    expect(expected.length).toBeLessThanOrEqual(8)
  })

  it('and nothing else', () => {
    expect([...named].filter((file) => PROBES.every((probe) => !probe.named.includes(file)))).toEqual([])
  })
})
