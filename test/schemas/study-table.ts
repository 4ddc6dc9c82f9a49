import { MATRIX, MINIMAL } from '../study/study-texts.ts'

/**
 * One table of studies that the published schema, the schema of a study with a lock, and the runner all check. An editor has
 * the schemas and a person the runner; they must not contradict each other.
 */
export interface StudyCase {
  readonly name: string
  readonly yaml: string
  /** The finding of the published schema on the parsed document; null if the text is not a document that can be checked. */
  readonly schema: 'takes' | 'refuses' | null
  /** The finding of the schema that is made of the lock, if it differs. */
  readonly specialised?: 'refuses'
  /** Codes of the errors that the runner's shape phase finds; empty when it finds none. */
  readonly shape: readonly string[]
  /** Where the runner is stricter than the schema can be: the phase that finds it, and its code. */
  readonly stricter?: readonly ['parse' | 'file' | 'semantics' | 'expansion' | 'lock', code: string]
  /** Why schema and shape phase differ all the same. */
  readonly why?: string
}

/** The content of the lock beside each study. */
export const LOCKED_COLUMNS = {
  age: { kind: 'numeric' },
  'basket.value': { kind: 'numeric' },
  'purchase.intent': { kind: 'categorical', levels: ['No', 'Unsure', 'Yes'] },
  region: { kind: 'categorical', levels: ['East', 'North', 'South', 'West'] },
} as const
/** The seed file beside each study, and its digest. */
export const SEED = 'id,region\n1,North\n'
const SEED_SHA256 = 'c397ba6da5225cdbff0d80df1c869c1f943336ad8c25770d61f097ff4fba39af'
export const LOCKED_DROPPED = [{ name: 'postcode', reason: 'near_zero_variance' }]

const HEAD = 'version: 1\nname: a\ndatasets: { panel: { file: p.csv } }\n'
const ONE = 'scenarios: { a: { rows: 10, seed: 1 } }\n'

/** A study with one scenario without conditions, and these further keys. */
const top = (keys: string) => `${HEAD}${ONE}${keys}\n`
const scenario = (fields: string) => `${HEAD}scenarios: { a: { rows: 10, seed: 1, ${fields} } }\n`
/** A scenario of just these fields. */
const bare = (fields: string) => `${HEAD}scenarios: { a: { ${fields} } }\n`
const dataset = (fields: string) => `version: 1\nname: a\ndatasets: { panel: { ${fields} } }\n${ONE}`
const named = (name: string) => `version: 1\nname: ${name}\ndatasets: { panel: { file: p.csv } }\n${ONE}`
const matrix = (keys: string) => scenario(`matrix: { ${keys} }`)
const AXIS = 'axes: [{ name: i, values: { low: { rows: 10 }, high: { rows: 20 } } }]'
const axis = (keys: string) => matrix(`axes: [{ name: i, ${keys} }]`)
const comparison = (keys: string) =>
  `${HEAD}scenarios: { a: { rows: 10, seed: 1 }, b: { rows: 10, seed: 2 } }\nbaseline: a\ncomparisons: [{ id: c, ${keys} }]\n`
const check = (keys: string) => comparison(`scenarios: [b], shares: [region], means: [age], expect: [{ ${keys} }]`)

const valid = (rows: readonly (readonly [name: string, yaml: string])[]): StudyCase[] =>
  rows.map(([name, yaml]) => ({ name, yaml, schema: 'takes', shape: [] }))
const refused = (rows: readonly (readonly [name: string, code: string, yaml: string])[]): StudyCase[] =>
  rows.map(([name, code, yaml]) => ({ name, yaml, schema: 'refuses', shape: code.split(' ') }))
const stricter = (
  phase: 'file' | 'semantics' | 'expansion' | 'lock',
  rows: readonly (readonly [name: string, code: string, yaml: string])[],
): StudyCase[] =>
  rows.map(([name, code, yaml]) => ({ name, yaml, schema: 'takes', shape: [], stricter: [phase, code] }))
/** The lock's schema says what the runner says. */
const misnamed = (rows: readonly (readonly [name: string, code: string, yaml: string])[]): StudyCase[] =>
  stricter('lock', rows).map((row) => ({ ...row, specialised: 'refuses' }))
const unreadable = (rows: readonly (readonly [name: string, code: string, yaml: string])[]): StudyCase[] =>
  rows.map(([name, code, yaml]) => ({ name, yaml, schema: null, shape: [], stricter: ['parse', code] }))

const declared = (rows: readonly (readonly [name: string, code: string, fields: string])[]) =>
  rows.map(([name, code, fields]) => [name, code, dataset(`file: p.csv, ${fields}`)] as const)
const trained = (fields: string) =>
  [`a declaration of a trained dataset: ${fields}`, 'S1110', dataset(`dataset_id: ds_1, ${fields}`)] as const
const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`).join(', ')
const columns = (count: number, value: string) => Array.from({ length: count }, (_, i) => `n${i}: ${value}`).join(', ')

/** Every declaration that a dataset can have. */
const DECLARATIONS =
  'weight: pondera, drop: [name, phone], missing: { age: [98, 99.5], "*": [NS/NR, "-"] }, types: { year: categorical, mood: ordinal, spend: numeric, seen: datetime, member: boolean, zip: text }, levels: { mood: [low, high] }, bands: { age.band: { of: age, at: [18, 30.5], x-a: 1 } }, header_rows: 10, encoding: windows-1251, dates: { seen: DD/MM/YYYY }'

export const STUDIES: readonly StudyCase[] = [
  ...valid([
    ['the minimal study', MINIMAL],
    ['a matrix with exclude, override and include', MATRIX],
    [
      'words for people everywhere',
      `version: 1\nname: a\ndescription: text\nowner: [a, b]\ntags: [q4]\nlinks: https://example.org\ndatasets: { panel: { file: p.csv, description: text } }\nscenarios: { a: { rows: 10, seed: 1, description: text, owner: me, links: [x], tags: [t] } }\n`,
    ],
    [
      'keys of your own everywhere',
      `${HEAD.replace('p.csv', 'p.csv, x-a: 1')}x-a: { any: [thing] }\nbudget: { x-a: 1 }\npolicy: { x-a: 1, partial: { accept_from: 0.5, otherwise: warn, x-a: 1 } }\noutput: { x-a: 1 }\nlimits: { x-a: 1 }\ndefaults: { x-a: 1 }\nscenarios:\n  b: { rows: 10, seed: 1 }\n  a: { rows: 10, seed: 1, x-a: 1, ranges: { age: { min: 1, max: 2, x-a: 1 } }, shares: { region: { North: 1 } }, expect: { x-a: 1, fill: { min: 0.9, x-a: 1 }, shares: { tolerance: 0.5, x-a: 1 }, ranges: { outside_max: 0, x-a: 1 } }, matrix: { x-a: 1, axes: [{ name: i, values: { low: { rows: 10 }, high: { rows: 20 } }, x-a: 1 }], override: [{ match: { i: low }, set: { rows: 11 }, x-a: 1 }], include: [{ id: more, set: { rows: 12 }, x-a: 1 }] } }\nbaseline: b\ncomparisons: [{ id: c, scenarios: ["a--*"], shares: [region], x-a: 1, expect: [{ scenario: a--low, column: region, level: North, delta_min: 0.1, x-a: 1 }] }]\n`,
    ],
    [
      'a seed file with all its keys',
      dataset(`file: p.csv, sha256: '${SEED_SHA256}', auto_clean: true, display_name: P`),
    ],
    [
      'ids that start with x-: a dataset and a scenario, which no extension is',
      'version: 1\nname: a\ndatasets: { x-panel: { file: p.csv } }\nscenarios: { x-large: { rows: 10, seed: 1 } }\n',
    ],
    ['a dataset trained elsewhere', dataset('dataset_id: ds_7Q2mXc')],
    ['a seed that is drawn', bare('rows: 10, seed: random')],
    ['a negative seed', bare('rows: 10, seed: -1')],
    ['a scenario with replicates', scenario('replicates: 2')],
    [
      'replicates in defaults and in a matrix',
      `${HEAD}defaults: { replicates: 3 }\nscenarios: { a: { rows: 10, seed: 1, replicates: 20, matrix: { axes: [{ name: i, values: { low: { replicates: 4 }, high: { rows: 20 } } }], override: [{ match: { i: high }, set: { replicates: 2 } }], include: [{ id: more, set: { replicates: 5 } }] } } }\n`,
    ],
    ['an axis over replicates', axis('set: [replicates], values: { few: 2, many: 20 }')],
    [
      'each format',
      `${HEAD}scenarios: { a: { rows: 1, seed: 1, format: csv }, b: { rows: 1, seed: 1, format: arrow }, c: { rows: 1, seed: 1, format: parquet }, d: { rows: 1, seed: 1, format: sav } }\n`,
    ],
    ['conditions', scenario('shares: { region: { North: 0, South: 1 } }, ranges: { age: { min: 18, max: 18 } }')],
    [
      'a condition taken away',
      `${HEAD}defaults: { rows: 1, seed: 1, shares: { region: { North: 1 } }, ranges: { age: { min: 1, max: 2 } } }\nscenarios: { a: { shares: { region: null }, ranges: { age: null } } }\n`,
    ],
    ['names that other readers take for something else', scenario('shares: { purchase.intent: { No: 1 } }')],
    [
      'each word of the partial policy',
      `${HEAD}policy: { partial: accept }\nscenarios: { a: { rows: 1, seed: 1, partial: warn }, b: { rows: 1, seed: 1, partial: fail }, c: { rows: 1, seed: 1, partial: { accept_from: 1, otherwise: fail } } }\n`,
    ],
    ['all policies', top('policy: { on_failure: stop, drift: warn, mixed_model: warn }')],
    ['the other policies', top('policy: { on_failure: continue, drift: fail, mixed_model: fail }')],
    ['a budget of nothing', top('budget: { rows_per_run: 0, rows_per_scenario: 10, new_datasets_per_run: 0 }')],
    ['names of the seed file', top('output: { names: original }')],
    ['cleaned names', top('output: { names: cleaned }')],
    ['places and limits', top('output: { dir: out/x, report: false }\nlimits: { max_scenarios: 1 }')],
    [
      'gates',
      scenario(
        'shares: { region: { North: 1 } }, ranges: { age: { min: 1, max: 2 } }, expect: { fill: { min: 1 }, shares: { tolerance: 1, columns: { region: 1 } }, ranges: { outside_max: 1 } }, warn: { shares: { columns: { region: 0.5 } } }',
      ),
    ],
    ['an axis that sets a level', axis('set: [shares, region, North], values: { low: 0.1, high: 0.2 }')],
    ['an axis that sets a word', axis('set: [format], values: { c: csv, p: parquet }')],
    ['an axis of patches', matrix(AXIS)],
    ['a comparison of shares and means', comparison('scenarios: [b], against: a, shares: [region], means: [age]')],
    [
      'a comparison with checks of both levels',
      comparison(
        'description: text, scenarios: [b], shares: [region], expect: [{ scenario: b, column: region, level: North, delta_min: 0.1, delta_max: 0.2 }], warn: [{ scenario: b, column: region, level: North, delta_max: 1 }]',
      ),
    ],
    [
      'checks with confidence, the least and the greatest that there is',
      comparison(
        'scenarios: [b], shares: [region], means: [age], expect: [{ scenario: b, column: region, level: North, delta_min: 0.1, confidence: 0.5 }], warn: [{ scenario: b, column: age, delta_max: 1, confidence: 0.999 }]',
      ),
    ],
    ['a name of forty characters', named('a'.repeat(40))],
    ['names with points, dashes and underscores', named('a.b-c_d')],
    [
      'another dataset by name',
      `version: 1\nname: a\ndatasets: { panel: { file: p.csv }, more: { file: q.csv } }\nscenarios: { a: { dataset: panel, rows: 1, seed: 1 }, b: { dataset: more, rows: 1, seed: 1 } }\n`,
    ],
    ['ranges with one end', scenario('ranges: { age: { min: 60 }, basket.value: { max: 30 } }')],
    [
      'ranges of dates and times',
      scenario(
        'ranges: { age: { min: 2026-10-05, max: 2026-10-05T08:00:00Z }, basket.value: { max: 2026-10-05T08:00:00.5+02:00 } }',
      ),
    ],
    ['anchors and aliases', `${HEAD}scenarios: { a: &a { rows: 10, seed: 1 }, b: *a }\n`],
  ]),

  ...refused([
    ['a version in quotes', 'S1101', top('').replace('version: 1', 'version: "1"')],
    ['a newer version', 'S1101', top('').replace('version: 1', 'version: 2')],
    ['no version', 'S1103', top('').replace('version: 1\n', '')],
    ['no name', 'S1103', top('').replace('name: a\n', '')],
    ['no datasets', 'S1103', top('').replace(/datasets.*\n/, '')],
    ['no scenarios', 'S1103', HEAD],
    ['an empty map of datasets', 'S1109', `version: 1\nname: a\ndatasets: {}\n${ONE}`],
    ['an empty map of scenarios', 'S1109', `${HEAD}scenarios: {}\n`],
    ['datasets as a list', 'S1104', `version: 1\nname: a\ndatasets: [p.csv]\n${ONE}`],
    ['scenarios as a list', 'S1104', `${HEAD}scenarios: [a]\n`],
    ['an unknown key', 'S1102', top('colour: red')],
    ['a description that is a list', 'S1104', top('description: [a]')],
    ['an owner that is a map', 'S1104', top('owner: { a: b }')],
    ['an owner that is a map in a list', 'S1104', top('owner: [{ a: b }]')],
    ['tags that are one word', 'S1104', top('tags: q4')],
    ['a tag that is a map', 'S1104', top('tags: [{ a: b }]')],
    ['an empty tag', 'S1107', top('tags: [""]')],
    ['a tag of 101 characters', 'S1107', top(`tags: [${'t'.repeat(101)}]`)],
    ['a name that is a map', 'S1104 S3001', named('{ a: b }')],
    ['a name in capitals', 'S3001', named('Brand')],
    ['a name of 41 characters', 'S3001', named('a'.repeat(41))],
    ['a name of a device', 'S3002', named('con')],
    ['a dataset called in capitals', 'S3001', `version: 1\nname: a\ndatasets: { Panel: { file: p.csv } }\n${ONE}`],
    ['a scenario called in capitals', 'S3001', `${HEAD}scenarios: { A: { rows: 1, seed: 1 } }\n`],
    ['a dataset that is a path', 'S1104', `version: 1\nname: a\ndatasets: { panel: p.csv }\n${ONE}`],
    ['a dataset of nothing', 'S1110', dataset('description: text')],
    ['a dataset with two sources', 'S1110', dataset('file: p.csv, dataset_id: ds_1')],
    ['an unknown key of a dataset', 'S1102', dataset('file: p.csv, path: x')],
    ['a path that is a list', 'S1104', dataset('file: [p.csv]')],
    ['an empty path', 'S1107', dataset('file: ""')],
    ['a path of 1,025 characters', 'S1107', dataset(`file: ${'p'.repeat(1025)}`)],
    ['a checksum that is a list', 'S1104', dataset('file: p.csv, sha256: [a]')],
    ['a checksum that is none', 'S1107', dataset('file: p.csv, sha256: abc')],
    ['a checksum of a trained dataset', 'S1110', dataset(`dataset_id: ds_1, sha256: '${SEED_SHA256}'`)],
    ['cleaning of a trained dataset', 'S1110', dataset('dataset_id: ds_1, auto_clean: true')],
    ['a display name of a trained dataset', 'S1110', dataset('dataset_id: ds_1, display_name: P')],
    ['cleaning by a word', 'S1104', dataset('file: p.csv, auto_clean: yes')],
    ['a display name that is a list', 'S1104', dataset('file: p.csv, display_name: [a]')],
    ['an empty display name', 'S1107', dataset('file: p.csv, display_name: ""')],
    ['a display name of 201 characters', 'S1107', dataset(`file: p.csv, display_name: ${'d'.repeat(201)}`)],
    ['a display name with a line feed', 'S1107', dataset('file: p.csv, display_name: "a\\nb"')],
    ['an id that is a list', 'S1104', dataset('dataset_id: [ds_1]')],
    ['an empty id', 'S1107', dataset('dataset_id: ""')],
    ['an id of 201 characters', 'S1107', dataset(`dataset_id: ${'d'.repeat(201)}`)],
    ['an id with a line feed', 'S1107', dataset('dataset_id: "a\\nb"')],
    ['defaults that are a list', 'S1104', `${HEAD}defaults: [1]\n${ONE}`],
    ['an unknown key of defaults', 'S1102', `${HEAD}defaults: { matrix: {} }\n${ONE}`],
    ['a scenario that is a number', 'S1104', `${HEAD}scenarios: { a: 1 }\n`],
    ['an unknown key of a scenario', 'S1102', scenario('row_count: 10')],
    ['rows that are a word', 'S1104', bare('rows: many, seed: 1')],
    ['no rows at all', 'S1106', bare('rows: 0, seed: 1')],
    ['half a row', 'S1104', bare('rows: 1.5, seed: 1')],
    ['one replicate', 'S1106', scenario('replicates: 1')],
    ['more replicates than there may be', 'S1106', scenario('replicates: 21')],
    ['half a replicate', 'S1104', scenario('replicates: 2.5')],
    ['replicates in a word', 'S1104', scenario('replicates: many')],
    ['a seed that is a list', 'S1104', bare('rows: 1, seed: [1]')],
    ['a seed that is another word', 'S1105', bare('rows: 1, seed: fixed')],
    ['a broken seed', 'S1104', bare('rows: 1, seed: 1.5')],
    ['an unknown format', 'S1105', scenario('format: xlsx')],
    ['a dataset named by a list', 'S1104', scenario('dataset: [panel]')],
    ['a dataset named by nothing', 'S1107', scenario('dataset: ""')],
    ['shares as a list', 'S1104', scenario('shares: [region]')],
    ['an empty column name', 'S1107', scenario('shares: { "": { North: 1 } }')],
    ['levels as a list', 'S1104', scenario('shares: { region: [North] }')],
    ['a merge key among levels', 'S1011', scenario('shares: { region: { <<: { North: 1 } } }')],
    ['no levels', 'S1109', scenario('shares: { region: {} }')],
    ['an empty level name', 'S1107', scenario('shares: { region: { "": 1 } }')],
    ['a share that is a word', 'S1104', scenario('shares: { region: { North: half } }')],
    ['a share in percent', 'S1201', scenario('shares: { region: { North: 70% } }')],
    ['a share in quotes', 'S1204', scenario('shares: { region: { North: "0.7" } }')],
    ['a share above 1', 'S1106', scenario('shares: { region: { North: 1.5 } }')],
    ['a share below 0', 'S1106', scenario('shares: { region: { North: -0.1 } }')],
    ['ranges as a list', 'S1104', scenario('ranges: [age]')],
    ['an empty column name of a range', 'S1107', scenario('ranges: { "": { min: 1, max: 2 } }')],
    ['a range that is a number', 'S1104', scenario('ranges: { age: 18 }')],
    ['a range without an end', 'S1110', scenario('ranges: { age: {} }')],
    ['an end of a range that is a list', 'S1104', scenario('ranges: { age: { min: [18] } }')],
    ['an end of a range in the form of another calendar', 'S1104', scenario('ranges: { seen: { max: 5/10/2026 } }')],
    ['a time without an offset', 'S1207', scenario('ranges: { seen: { max: 2026-10-05T08:00:00 } }')],
    ['an unknown key of a range', 'S1102', scenario('ranges: { age: { min: 1, max: 2, step: 1 } }')],
    ['a bound that is a word', 'S1104', scenario('ranges: { age: { min: young, max: 65 } }')],
    ['the other bound as a word', 'S1104', scenario('ranges: { age: { min: 18, max: old } }')],
    ...declared([
      ['a weight that is a list', 'S1104', 'weight: [w]'],
      ['an empty weight', 'S1107', 'weight: ""'],
      ['drop as one name', 'S1104', 'drop: name'],
      ['nothing to drop', 'S1109', 'drop: []'],
      ['too many columns to drop', 'S1104', `drop: [${names(2001)}]`],
      ['a list to drop', 'S1104', 'drop: [[name]]'],
      ['missing values as a list', 'S1104', 'missing: [99]'],
      ['missing values of no column', 'S1109', 'missing: {}'],
      ['missing values of too many columns', 'S1104', `missing: { ${columns(2001, '[9]')} }`],
      ['missing values of a column without name', 'S1107', 'missing: { "": [9] }'],
      ['missing values that are one number', 'S1104', 'missing: { age: 99 }'],
      ['no missing values', 'S1109', 'missing: { age: [] }'],
      ['too many missing values', 'S1104', `missing: { age: [${names(201)}] }`],
      ['a missing value that is a truth value', 'S1104', 'missing: { age: [true] }'],
      ['an empty missing value', 'S1107', 'missing: { age: [""] }'],
      ['types as a list', 'S1104', 'types: [text]'],
      ['types of no column', 'S1109', 'types: {}'],
      ['types of too many columns', 'S1104', `types: { ${columns(2001, 'text')} }`],
      ['a type of a column without name', 'S1107', 'types: { "": text }'],
      ['an unknown type', 'S1105', 'types: { age: number }'],
      ['levels as a list of levels', 'S1104', 'levels: [low, high]'],
      ['levels of no column', 'S1109', 'levels: {}'],
      ['levels of too many columns', 'S1104', `levels: { ${columns(2001, '[low]')} }`],
      ['levels of a column without name', 'S1107', 'levels: { "": [low] }'],
      ['levels that are one word', 'S1104', 'levels: { mood: low }'],
      ['no levels of a column', 'S1109', 'levels: { mood: [] }'],
      ['too many levels', 'S1104', `levels: { mood: [${names(1001)}] }`],
      ['a level that is a list', 'S1104', 'levels: { mood: [[low]] }'],
      ['bands as a list', 'S1104', 'bands: [age]'],
      ['no bands', 'S1109', 'bands: {}'],
      ['too many bands', 'S1104', `bands: { ${columns(201, '{ of: age, at: [1] }')} }`],
      ['a band without name', 'S1107', 'bands: { "": { of: age, at: [1] } }'],
      ['a band that is a list', 'S1104', 'bands: { b: [18, 65] }'],
      ['a band of no column', 'S1103', 'bands: { b: { at: [18] } }'],
      ['a band without cuts', 'S1103', 'bands: { b: { of: age } }'],
      ['an unknown key of a band', 'S1102', 'bands: { b: { of: age, at: [18], to: 65 } }'],
      ['a band of a list of columns', 'S1104', 'bands: { b: { of: [age], at: [18] } }'],
      ['a cut that is no list', 'S1104', 'bands: { b: { of: age, at: 18 } }'],
      ['no cuts', 'S1109', 'bands: { b: { of: age, at: [] } }'],
      ['too many cuts', 'S1104', `bands: { b: { of: age, at: [${[...Array(101).keys()]}] } }`],
      ['a cut that is a word', 'S1104', 'bands: { b: { of: age, at: [young] } }'],
      ['header rows that are a word', 'S1104', 'header_rows: two'],
      ['no header rows', 'S1106', 'header_rows: 0'],
      ['eleven header rows', 'S1106', 'header_rows: 11'],
      ['an encoding that is a list', 'S1104', 'encoding: [utf-8]'],
      ['an empty encoding', 'S1107', 'encoding: ""'],
      ['an encoding of 41 characters', 'S1107', `encoding: ${'e'.repeat(41)}`],
      ['dates as a format', 'S1104', 'dates: DD/MM/YYYY'],
      ['dates of no column', 'S1109', 'dates: {}'],
      ['dates of too many columns', 'S1104', `dates: { ${columns(2001, 'D/M/YY')} }`],
      ['dates of a column without name', 'S1107', 'dates: { "": D/M/YY }'],
      ['a date format that is a list', 'S1104', 'dates: { seen: [D/M/YY] }'],
      ['an empty date format', 'S1107', 'dates: { seen: "" }'],
      ['a date format of 41 characters', 'S1107', `dates: { seen: ${'D'.repeat(41)} }`],
    ]),
    ...['weight: w', 'drop: [a]', 'missing: { a: [9] }', 'types: { a: text }', 'levels: { a: [b] }'].map(trained),
    ...['bands: { b: { of: a, at: [1] } }', 'header_rows: 2', 'encoding: utf-8', 'dates: { a: D/M/YY }'].map(trained),
    ['a partial policy that is a number', 'S1104', scenario('partial: 0.9')],
    ['an unknown partial policy', 'S1105', scenario('partial: ignore')],
    ['a partial policy without a ratio', 'S1103', scenario('partial: { otherwise: warn }')],
    ['a partial policy without an otherwise', 'S1103', scenario('partial: { accept_from: 0.5 }')],
    ['an unknown key of a partial policy', 'S1102', scenario('partial: { accept_from: 0.5, otherwise: warn, x: 1 }')],
    ['a ratio that is a word', 'S1104', scenario('partial: { accept_from: most, otherwise: warn }')],
    ['a ratio above 1', 'S1106', scenario('partial: { accept_from: 1.1, otherwise: warn }')],
    ['a ratio below 0', 'S1106', scenario('partial: { accept_from: -0.1, otherwise: warn }')],
    ['an otherwise that accepts', 'S1105', scenario('partial: { accept_from: 0.5, otherwise: accept }')],
    ['gates as a list', 'S1104', scenario('expect: [fill]')],
    ['an unknown gate', 'S1102', scenario('expect: { filled: { min: 1 } }')],
    ['a fill that is a number', 'S1104', scenario('expect: { fill: 0.9 }')],
    ['a fill without min', 'S1103', scenario('expect: { fill: {} }')],
    ['an unknown key of fill', 'S1102', scenario('expect: { fill: { min: 1, max: 1 } }')],
    ['a fill by a word', 'S1104', scenario('expect: { fill: { min: all } }')],
    ['a fill above 1', 'S1106', scenario('expect: { fill: { min: 1.1 } }')],
    ['a fill below 0', 'S1106', scenario('expect: { fill: { min: -1 } }')],
    ['a gate of shares that is a number', 'S1104', scenario('expect: { shares: 0.1 }')],
    ['a gate of shares without a tolerance', 'S1110', scenario('expect: { shares: {} }')],
    ['an unknown key of a gate of shares', 'S1102', scenario('expect: { shares: { tolerance: 0.1, column: a } }')],
    ['a tolerance that is a word', 'S1104', scenario('expect: { shares: { tolerance: small } }')],
    ['a tolerance above 1', 'S1106', scenario('expect: { shares: { tolerance: 3 } }')],
    ['a tolerance below 0', 'S1106', scenario('expect: { shares: { tolerance: -1 } }')],
    ['tolerances as a list', 'S1104', scenario('expect: { shares: { columns: [region] } }')],
    ['no tolerances', 'S1109', scenario('expect: { shares: { columns: {} } }')],
    ['a tolerance of a column without name', 'S1107', scenario('expect: { shares: { columns: { "": 0.1 } } }')],
    ['a tolerance of a column that is a word', 'S1104', scenario('expect: { shares: { columns: { region: small } } }')],
    ['a gate of ranges that is a number', 'S1104', scenario('expect: { ranges: 0 }')],
    ['a gate of ranges without a bound', 'S1103', scenario('expect: { ranges: {} }')],
    ['an unknown key of a gate of ranges', 'S1102', scenario('expect: { ranges: { outside_max: 0, inside: 1 } }')],
    ['a share outside that is a word', 'S1104', scenario('expect: { ranges: { outside_max: none } }')],
    ['a share outside above 1', 'S1106', scenario('expect: { ranges: { outside_max: 2 } }')],
    ['a share outside below 0', 'S1106', scenario('expect: { ranges: { outside_max: -1 } }')],
    ['an unknown key of a gate that warns', 'S1102', scenario('warn: { filled: { min: 1 } }')],
    ['a baseline that is a list', 'S1104', top('baseline: [a]')],
    ['an empty baseline', 'S1107', top('baseline: ""')],
    ['a baseline of 121 characters', 'S1107', top(`baseline: ${'b'.repeat(121)}`)],
    ['a budget that is a number', 'S1104', top('budget: 1000')],
    ['an unknown budget', 'S1102', top('budget: { rows: 1000 }')],
    ['a budget by a word', 'S1104', top('budget: { rows_per_run: many }')],
    ['a budget below nothing', 'S1106', top('budget: { rows_per_run: -1 }')],
    ['a budget of a scenario by a word', 'S1104', top('budget: { rows_per_scenario: many }')],
    ['a budget of a scenario of nothing', 'S1106', top('budget: { rows_per_scenario: 0 }')],
    ['a budget of datasets by a word', 'S1104', top('budget: { new_datasets_per_run: one }')],
    ['a budget of datasets below nothing', 'S1106', top('budget: { new_datasets_per_run: -1 }')],
    ['policies as a list', 'S1104', top('policy: [fail]')],
    ['an unknown policy', 'S1102', top('policy: { retries: 3 }')],
    ['an unknown policy on failure', 'S1105', top('policy: { on_failure: retry }')],
    ['an unknown policy on drift', 'S1105', top('policy: { drift: ignore }')],
    ['an unknown policy on models', 'S1105', top('policy: { mixed_model: ignore }')],
    ['an unknown policy on partial results', 'S1105', top('policy: { partial: ignore }')],
    ['an output that is a path', 'S1104', top('output: out/x')],
    ['an unknown key of output', 'S1102', top('output: { folder: x }')],
    ['an output folder that is a list', 'S1104', top('output: { dir: [a] }')],
    ['a word about the report that is no truth value', 'S1104', top('output: { report: never }')],
    ['an output folder of nothing', 'S1107', top('output: { dir: "" }')],
    ['an output folder of 1,025 characters', 'S1107', top(`output: { dir: ${'d'.repeat(1025)} }`)],
    ['names of another kind', 'S1105', top('output: { names: file }')],
    ['names as a list', 'S1105', top('output: { names: [original] }')],
    ['limits that are a number', 'S1104', top('limits: 200')],
    ['an unknown limit', 'S1102', top('limits: { rows: 1 }')],
    ['a limit by a word', 'S1104', top('limits: { max_scenarios: many }')],
    ['a limit of nothing', 'S1106', top('limits: { max_scenarios: 0 }')],
    ['a limit past all', 'S1106', top('limits: { max_scenarios: 100001 }')],
    ['a matrix that is a list', 'S1104', scenario('matrix: [a]')],
    ['a matrix without axes', 'S1103', matrix('include: []')],
    ['an unknown key of a matrix', 'S1102', matrix(`${AXIS}, excludes: []`)],
    ['axes as a map', 'S1104', matrix('axes: { i: { values: { a: {} } } }')],
    ['no axes', 'S1109', matrix('axes: []')],
    ['an axis that is a word', 'S1104', matrix('axes: [region]')],
    ['an axis without a name', 'S1103', matrix('axes: [{ values: { low: { rows: 1 } } }]')],
    ['an axis without values', 'S1103', matrix('axes: [{ name: i }]')],
    ['an unknown key of an axis', 'S1102', axis('values: { low: { rows: 1 } }, path: a')],
    ['an axis called in capitals', 'S3001', matrix('axes: [{ name: I, values: { low: { rows: 1 } } }]')],
    ['values of an axis as a list', 'S1104', axis('values: [low]')],
    ['an axis of no values', 'S1109', axis('values: {}')],
    ['a value of an axis in capitals', 'S3001', axis('values: { Low: { rows: 1 } }')],
    ['a path of an axis that is a word', 'S1104', axis('set: rows, values: { low: 1 }')],
    ['a path of an axis of no steps', 'S1109', axis('set: [], values: { low: 1 }')],
    [
      'a path of an axis of five steps',
      'S1104 S4107',
      axis('set: [expect, shares, columns, region, x], values: { low: 1 }'),
    ],
    ['a step of a path that is a map', 'S1104', axis('set: [{ a: b }], values: { low: 1 }')],
    ['a step of a path that is empty', 'S1107', axis('set: [shares, "", North], values: { low: 1 }')],
    ['a patch where the axis has a path', 'S1104', axis('set: [rows], values: { low: { rows: 1 } }')],
    ['a number where the axis has no path', 'S1104', axis('values: { low: 1 }')],
    ['an unknown key of a patch', 'S1102', axis('values: { low: { row: 1 } }')],
    ['exclude as a map', 'S1104', matrix(`${AXIS}, exclude: { i: low }`)],
    ['an exclude that is a word', 'S1104', matrix(`${AXIS}, exclude: [low]`)],
    ['an exclude of nothing', 'S1109', matrix(`${AXIS}, exclude: [{}]`)],
    ['an exclude of an empty value', 'S1107', matrix(`${AXIS}, exclude: [{ i: "" }]`)],
    ['an exclude of a list of values', 'S1104', matrix(`${AXIS}, exclude: [{ i: [low] }]`)],
    ['override as a map', 'S1104', matrix(`${AXIS}, override: { match: { i: low }, set: { rows: 1 } }`)],
    ['an override that is a word', 'S1104', matrix(`${AXIS}, override: [low]`)],
    ['an override without match', 'S1103', matrix(`${AXIS}, override: [{ set: { rows: 1 } }]`)],
    ['an override without set', 'S1103', matrix(`${AXIS}, override: [{ match: { i: low } }]`)],
    [
      'an unknown key of an override',
      'S1102',
      matrix(`${AXIS}, override: [{ match: { i: low }, set: { rows: 1 }, id: x }]`),
    ],
    ['include as a map', 'S1104', matrix(`${AXIS}, include: { id: x }`)],
    ['an include that is a word', 'S1104', matrix(`${AXIS}, include: [x]`)],
    ['an include without id', 'S1103', matrix(`${AXIS}, include: [{ set: { rows: 1 } }]`)],
    ['an unknown key of an include', 'S1102', matrix(`${AXIS}, include: [{ id: x, rows: 1 }]`)],
    ['an include called in capitals', 'S3001', matrix(`${AXIS}, include: [{ id: X }]`)],
    ['comparisons as a map', 'S1104', top('comparisons: { c: {} }')],
    ['a comparison that is a word', 'S1104', top('comparisons: [c]')],
    ['a comparison without id', 'S1103', top('comparisons: [{ scenarios: [a], shares: [region] }]')],
    ['a comparison without scenarios', 'S1103', comparison('shares: [region]')],
    ['a comparison of nothing', 'S1110', comparison('scenarios: [b]')],
    ['an unknown key of a comparison', 'S1102', comparison('scenarios: [b], shares: [region], baseline: a')],
    ['a comparison of a scenario that is no list', 'S1104', comparison('scenarios: b, shares: [region]')],
    ['a comparison of no scenarios', 'S1109', comparison('scenarios: [], shares: [region]')],
    ['a comparison of an empty id', 'S1107', comparison('scenarios: [""], shares: [region]')],
    ['a comparison of a list of ids in a list', 'S1104', comparison('scenarios: [[b]], shares: [region]')],
    [
      'a comparison of a glob of 201 characters',
      'S1107',
      comparison(`scenarios: [${'b'.repeat(201)}], shares: [region]`),
    ],
    ['compared shares that are no list', 'S1104', comparison('scenarios: [b], shares: region')],
    ['no compared shares', 'S1109', comparison('scenarios: [b], shares: []')],
    ['compared means that are no list', 'S1104', comparison('scenarios: [b], means: age')],
    ['no compared means', 'S1109', comparison('scenarios: [b], means: []')],
    ['compared columns that are maps', 'S1104', comparison('scenarios: [b], shares: [{ a: b }]')],
    ['compared means that are maps', 'S1104', comparison('scenarios: [b], means: [{ a: b }]')],
    ['checks as a map', 'S1104', comparison('scenarios: [b], shares: [region], expect: { scenario: b }')],
    ['a check that is a word', 'S1104', comparison('scenarios: [b], shares: [region], expect: [b]')],
    ['a check without scenario', 'S1103', check('column: region, level: North, delta_min: 0.1')],
    ['a check without column', 'S1103', check('scenario: b, level: North, delta_min: 0.1')],
    ['a check without bounds', 'S1110', check('scenario: b, column: region, level: North')],
    ['an unknown key of a check', 'S1102', check('scenario: b, column: region, level: North, delta_min: 0.1, min: 1')],
    ['an empty level of a check', 'S1107', check('scenario: b, column: region, level: "", delta_min: 0.1')],
    [
      'a level of a check that is a list',
      'S1104',
      check('scenario: b, column: region, level: [North], delta_min: 0.1'),
    ],
    ['a least difference that is a word', 'S1104', check('scenario: b, column: age, delta_min: small')],
    ['a greatest difference that is a word', 'S1104', check('scenario: b, column: age, delta_max: big')],
    ['a confidence in percent', 'S1201', check('scenario: b, column: age, delta_min: 1, confidence: 95%')],
    ['a confidence that is a word', 'S1104', check('scenario: b, column: age, delta_min: 1, confidence: high')],
    ['a confidence as a number of percent', 'S1106', check('scenario: b, column: age, delta_min: 1, confidence: 95')],
    ['certainty', 'S1106', check('scenario: b, column: age, delta_min: 1, confidence: 1')],
    ['a confidence below one half', 'S1106', check('scenario: b, column: age, delta_min: 1, confidence: 0.4')],
    ['a confidence without bounds', 'S1110', check('scenario: b, column: age, confidence: 0.95')],
  ]),

  ...stricter('file', [
    ['all declarations, of columns that the file lacks', 'S1320', dataset(`file: p.csv, ${DECLARATIONS}`)],
    ['as many columns to drop as may be', 'S1320', dataset(`file: p.csv, drop: [${names(2000)}]`)],
  ]),

  ...stricter('semantics', [
    ['a path that leads out of the project', 'S1302', dataset('file: /etc/hosts')],
    ['an output folder that is an address', 'S1302', top('output: { dir: "https://example.org/x" }')],
    ['a dataset that is not there', 'S2007', scenario('dataset: pannel')],
    [
      'an axis twice',
      'S3004',
      matrix('axes: [{ name: i, values: { a: { rows: 1 } } }, { name: i, values: { b: { tags: [t] } } }]'),
    ],
    ['an axis that is not there', 'S4101', matrix(`${AXIS}, exclude: [{ j: low }]`)],
    ['a value of an axis that is not there', 'S4102', matrix(`${AXIS}, exclude: [{ i: mid }]`)],
  ]),
  ...stricter('expansion', [
    ['shares above 1 together', 'S2001', scenario('shares: { region: { North: 0.6, South: 0.6 } }')],
    ['a range upside down', 'S2002', scenario('ranges: { age: { min: 65, max: 18 } }')],
    ['no seed', 'S2004', bare('rows: 1')],
    ['replicates without a seed', 'S2004', bare('rows: 1, replicates: 2')],
    ['a seed too large for its replicates', 'S1206', bare('rows: 1, seed: 9007199254740990, replicates: 3')],
    [
      'a replicate with the id of another scenario',
      'S3004',
      matrix(
        'axes: [{ name: i, values: { x: {} } }, { name: j, values: { r1: {} } }], include: [{ id: x, set: { replicates: 2 } }]',
      ),
    ],
    ['no rows', 'S2005', bare('seed: 1')],
    [
      'two datasets and none named',
      'S2006',
      `version: 1\nname: a\ndatasets: { b: { file: b.csv }, c: { file: c.csv } }\n${ONE}`,
    ],
    ['a matrix of nothing', 'S4105', matrix(`${AXIS}, exclude: [{ i: low }, { i: high }]`)],
    ['a matrix past the limit', 'S4106', `${matrix(AXIS)}limits: { max_scenarios: 1 }\n`],
    ['a baseline that is not there', 'S4301', top('baseline: b')],
    ['a glob that matches nothing', 'S4302', comparison('scenarios: ["x*"], shares: [region]')],
    [
      'a check of what is not compared',
      'S4305',
      check('scenario: b, column: purchase.intent, level: Yes, delta_min: 0.1'),
    ],
    ['bounds of a difference upside down', 'S4306', check('scenario: b, column: age, delta_min: 2, delta_max: 1')],
    ['a gate with nothing to judge', 'S5101', scenario('expect: { shares: { tolerance: 0.1 } }')],
  ]),
  {
    name: 'a column with shares and a range',
    yaml: scenario('shares: { region: { North: 1 } }, ranges: { region: { min: 1, max: 2 } }'),
    schema: 'takes',
    specialised: 'refuses',
    shape: [],
    stricter: ['expansion', 'S2008'],
  },
  ...misnamed([
    ['a column that is not there', 'S2102', scenario('shares: { regoin: { North: 1 } }')],
    ['a level that is not there', 'S2103', scenario('shares: { region: { Nrth: 1 } }')],
    ['a level of another column', 'S2103', scenario('shares: { region: { Yes: 1 } }')],
    ['a column that cleaning dropped', 'S2104', scenario('shares: { postcode: { a: 1 } }')],
    ['shares of numbers', 'S2105', scenario('shares: { age: { 18: 1 } }')],
    ['a range of levels', 'S2105', scenario('ranges: { region: { min: 1, max: 2 } }')],
    ['a range of a column that is not there', 'S2102', scenario('ranges: { aeg: { min: 1, max: 2 } }')],
    ['a path to a level that is not there', 'S2103', axis('set: [shares, region, Nrth], values: { low: 0.1 }')],
    ['a path to a column that is not there', 'S2102', axis('set: [shares, regoin, North], values: { low: 0.1 }')],
    ['a comparison of a column that is not there', 'S2102', comparison('scenarios: [b], shares: [regoin]')],
    ['a mean of levels', 'S2105', comparison('scenarios: [b], means: [region]')],
    [
      'a check of a level that is not there',
      'S2103',
      check('scenario: b, column: region, level: Nrth, delta_min: 0.1'),
    ],
  ]),

  ...unreadable([
    ['an unclosed quote', 'S1001', top('description: "a')],
    ['a tab for indentation', 'S1002', `${HEAD}scenarios:\n\ta: { rows: 1, seed: 1 }\n`],
    ['a tag', 'S1004', scenario('description: !env HOME')],
    ['a directive', 'S1005', `%YAML 1.1\n---\n${top('')}`],
    ['two documents', 'S1006', `${top('')}---\n${top('')}`],
    ['an empty file', 'S1013', ''],
  ]),
  {
    name: 'a list instead of a study',
    yaml: '- version: 1\n',
    schema: 'refuses',
    shape: [],
    stricter: ['parse', 'S1013'],
  },
  {
    name: 'a key written twice',
    yaml: top('name: b'),
    schema: null,
    shape: [],
    stricter: ['parse', 'S1003'],
  },

  {
    name: 'a version with a point',
    yaml: top('').replace('version: 1', 'version: 1.0'),
    schema: 'takes',
    shape: ['S1101'],
    why: 'JSON has one kind of number: 1.0 is 1',
  },
  {
    name: 'an integer that would lose digits',
    yaml: bare('rows: 1, seed: 12345678901234567890'),
    schema: 'takes',
    shape: ['S1206'],
    why: 'the digits are lost before a schema sees the number',
  },
  {
    name: 'a value that does not fit the path of its axis',
    yaml: axis('set: [shares, region, North], values: { low: 7 }'),
    schema: 'takes',
    shape: ['S1106'],
    why: 'a schema cannot follow the path of an axis',
  },
  {
    name: 'a path of an axis that leads nowhere',
    yaml: axis('set: [rowz], values: { low: 7 }'),
    schema: 'takes',
    shape: ['S4107'],
    why: 'a schema cannot follow the path of an axis',
  },
  {
    name: 'a name that is a number',
    yaml: named('2026'),
    schema: 'refuses',
    shape: [],
    why: 'an editor reads a number where the runner reads what was written; with quotes both take it',
  },
  {
    name: 'a value of an axis that is a number',
    yaml: matrix('axes: [{ name: i, values: { 1: { rows: 1 }, 2: { rows: 2 } } }], exclude: [{ i: 1 }]'),
    schema: 'refuses',
    shape: [],
    why: 'an editor reads a number where the runner reads what was written; with quotes both take it',
  },
]
