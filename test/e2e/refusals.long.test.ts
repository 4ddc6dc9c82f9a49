import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project, shortTracker } from '../cli/project-folder.ts'
import { readServiceRecords } from './service-records.ts'

const study = (conditions: string) => `version: 1
name: refused
datasets:
  tracker: { file: tracker.csv }
scenarios:
  one:
    rows: 100
    seed: 1
${conditions}`

const invalid: { readonly name: string; readonly text: string; readonly said: string }[] = [
  {
    name: 'a share above 1',
    text: study('    shares: { region: { North: 1.2 } }\n'),
    said: `error S1106 "North" is 1.2, more than 1
  refused.study.yaml:9:32
    9 |     shares: { region: { North: 1.2 } }
                                       ^^^
  expected: a share between 0 and 1, where 0.70 means 70 %, bounds of it such as { min: 0.5 }, or a change of the natural share such as { change: +0.10 }
`,
  },
  {
    name: 'shares of a column that sum to more than 1',
    text: study('    shares: { region: { North: 0.7, South: 0.6 } }\n'),
    said: `error S2001 shares of column "region" sum to 1.3, more than 1
  refused.study.yaml:9:15
    9 |     shares: { region: { North: 0.7, South: 0.6 } }
                      ^^^^^^
  0.7 + 0.6 = 1.3
`,
  },
  {
    name: 'a range without an end',
    text: study('    ranges: { age: {} }\n'),
    said: `error S1110 "age" needs "min" or "max"
  refused.study.yaml:9:15
    9 |     ranges: { age: {} }
                      ^^^
  expected: ends of a range, included, for example { min: 18, max: 65 } or { min: 60 }; null removes an inherited condition
`,
  },
  {
    name: 'a duplicate key',
    text: study('    shares: { region: { North: 0.5, North: 0.4 } }\n'),
    said: `error S1003 key "North" is written twice in this map
  refused.study.yaml:9:37
    9 |     shares: { region: { North: 0.5, North: 0.4 } }
                                            ^^^^^
  refused.study.yaml:9:25 first written here
    9 |     shares: { region: { North: 0.5, North: 0.4 } }
                                ^^^^^
`,
  },
  {
    name: 'indentation by a tab',
    text: study('    shares:\n\t  region: { North: 0.5 }\n'),
    said: `error S1002 tab used for indentation
  refused.study.yaml:10:1
   10 | \\t  region: { North: 0.5 }
        ^^^^
  use spaces
`,
  },
  {
    name: 'an object in a bucket without its digest',
    text: study('').replace('tracker.csv', 's3://panels/tracker.csv'),
    said: `error S1309 dataset "tracker" names an object in a bucket without its digest
  refused.study.yaml:4:20
    4 |   tracker: { file: s3://panels/tracker.csv }
                           ^^^^^^^^^^^^^^^^^^^^^^^
  add \`sha256:\` with the digest of the file, as sha256sum prints it
`,
  },
  {
    name: 'a newer version',
    text: study('').replace('version: 1', 'version: 2'),
    said: `error S1101 this file has version 2 and needs a newer runner
  refused.study.yaml:1:10
    1 | version: 2
                 ^
  this runner reads version 1
`,
  },
  {
    name: 'a version that is text',
    text: study('').replace('version: 1', 'version: "1"'),
    said: `error S1101 the version must be the integer 1, not "1"
  refused.study.yaml:1:10
    1 | version: "1"
                 ^^^
  write: version: 1
`,
  },
]

/** Cleaning drops the id and a nearly constant column of the tracker, and turns underscores into dots. */
const unfit: { readonly name: string; readonly text: string; readonly said: string }[] = [
  {
    name: 'a misspelt column',
    text: study('    shares: { purchase.intnt: { "Yes": 0.7 } }\n'),
    said: `error S2102 column "purchase.intnt" does not exist after cleaning
  refused.study.yaml:9:15
    9 |     shares: { purchase.intnt: { "Yes": 0.7 } }
                      ^^^^^^^^^^^^^^
  did you mean "purchase.intent"?  columns: region, gender, age, employment, household.size, income.band, main.brand, preferred.drink and 9 more
`,
  },
  {
    name: 'the original header instead of the cleaned name',
    text: study('    shares: { purchase_intent: { "Yes": 0.7 } }\n'),
    said: `error S2102 column "purchase_intent" does not exist after cleaning
  refused.study.yaml:9:15
    9 |     shares: { purchase_intent: { "Yes": 0.7 } }
                      ^^^^^^^^^^^^^^^
  did you mean "purchase.intent"?  (cleaning renamed it)
`,
  },
  {
    name: 'a column that cleaning dropped',
    text: study('    shares: { interview_mode: { web: 1 } }\n'),
    said: `error S2104 column "interview_mode" was dropped by cleaning: near-zero variance
  refused.study.yaml:9:15
    9 |     shares: { interview_mode: { web: 1 } }
                      ^^^^^^^^^^^^^^
  1,490 of 1,500 rows have the same value.
`,
  },
  {
    name: 'an unknown level',
    text: study('    shares: { region: { Nrth: 0.5 } }\n'),
    said: `error S2103 unknown level "Nrth" in column "region"
  refused.study.yaml:9:25
    9 |     shares: { region: { Nrth: 0.5 } }
                                ^^^^
  did you mean "North"?  retained levels: South, North, West, East, Islands
`,
  },
]

describe('a study file with faults of its own', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', shortTracker())
  })
  afterAll(() => project.remove())

  it.each(invalid)('is refused for $name, with exit code 3 and before anything is started', async ({ text, said }) => {
    await project.write('refused.study.yaml', text)
    expect(await project.whatif(['run', 'refused.study.yaml'])).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr: said,
    })
    expect(await project.files()).toEqual(['package.json', 'refused.study.yaml', 'tracker.csv'])
  })

  it('is reported with all its faults at once, in one JSON document with --json', async () => {
    await project.write('refused.study.yaml', study('    shares: { region: { North: 1.2 } }\n    rnages: {}\n'))
    const { code, stdout, stderr } = await project.whatif(['run', 'refused.study.yaml', '--json'])
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: 1,
      command: 'run',
      ok: false,
      exit_code: 3,
      diagnostics: [
        { severity: 'error', code: 'S1106', range: { filename: 'refused.study.yaml', start: { line: 9, column: 32 } } },
        { severity: 'error', code: 'S1102', range: { start: { line: 10, column: 5 } }, suggestions: ['ranges'] },
      ],
    })
  })
})

describe('a study that does not fit the cleaned data', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', shortTracker())
  })
  afterAll(() => project.remove())

  it.each(unfit)('is refused for $name, with exit code 4 and before anything is generated', async ({ text, said }) => {
    await project.write('refused.study.yaml', text)
    const { code, stdout, stderr } = await project.whatif(['run', 'refused.study.yaml', '--quiet'])
    expect({ code, stdout, stderr }).toMatchObject({ code: 4, stdout: '' })
    const records = (await project.list('out/refused/runs')).sort()
    const { datasets } = JSON.parse(await project.read(`out/refused/runs/${records.at(-1)}`))
    const schema = datasets.tracker.schema_sha256.slice(0, 8)
    const refusal = 'error: 1 condition does not fit the cleaned data; nothing was generated\n'
    expect(stderr.slice(0, stderr.indexOf(refusal) + refusal.length)).toBe(
      `${said}  schema: tracker, as cleaned by the service (${schema})\n${refusal}`,
    )
    expect((await project.files('out')).filter((file) => !file.endsWith('.json'))).toEqual([])
  })

  it('uploads and trains the file once for any number of attempts, and generates and bills nothing', async () => {
    const { datasets, generations, ledger, keys } = await readServiceRecords(project.path('.whatif/embedded'))
    expect({ datasets: datasets.length, generations, ledger, keys: keys.map((key) => key.operation) }).toEqual({
      datasets: 1,
      generations: [],
      ledger: [],
      keys: ['createDataset'],
    })
    const journal = await project.read('.whatif/studies/refused/embedded/journal.ndjson')
    expect(journal).not.toContain('wi1.gen.')
  })

  it('runs once it is corrected', async () => {
    await project.write('refused.study.yaml', study('    shares: { region: { North: 0.5 } }\n'))
    const { code, stderr } = await project.whatif(['run', 'refused.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect((await readServiceRecords(project.path('.whatif/embedded'))).ledger).toMatchObject([{ rows_generated: 100 }])
  })
})
