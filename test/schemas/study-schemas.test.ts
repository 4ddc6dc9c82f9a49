import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { sha256Hex } from '../../src/base/sha256.ts'
import { datasetFingerprint } from '../../src/study/hashing/fingerprint.ts'
import type { StudyLock } from '../../src/study/lock/lock.ts'
import { renderLock } from '../../src/study/lock/render-lock.ts'
import { specialisedSchema } from '../../src/study/lock/specialised-schema.ts'
import { checkShape } from '../../src/study/shape/check-shape.ts'
import { parseYaml } from '../../src/study/yaml/parse-yaml.ts'
import { SourceText } from '../../src/study/yaml/source-text.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { LOCKED_COLUMNS, LOCKED_DROPPED, SEED, STUDIES, type StudyCase } from './study-table.ts'

type Json = { [key: string]: unknown }

const published = JSON.parse(readFileSync(new URL('../../schemas/study.v1.json', import.meta.url), 'utf8')) as Json

const sha256 = sha256Hex(SEED)
const LOCK: StudyLock = {
  levelSalt: null,
  datasets: new Map([
    [
      'panel',
      {
        seed: {
          autoClean: true,
          bytes: SEED.length,
          fingerprint: datasetFingerprint({ fileSha256: sha256, autoClean: true }),
          sha256,
        },
        columns: new Map(
          Object.entries(LOCKED_COLUMNS).map(([name, column]) => [
            name,
            { kind: column.kind, levels: 'levels' in column ? column.levels : null },
          ]),
        ),
        dropped: LOCKED_DROPPED,
        schemaSha256: '5'.repeat(64),
      },
    ],
  ]),
}

function compile(schema: Json): ValidateFunction {
  return new Ajv({ strict: false }).compile(schema)
}

/** Reads a study as an editor does. It skips a study that is a text in pieces or repeats a key: the editor reports these itself. */
function documentOf(yaml: string): unknown {
  if (!parsed.has(yaml)) parsed.set(yaml, parse(yaml, { version: '1.2', schema: 'core', stringKeys: true }))
  return parsed.get(yaml)
}
const parsed = new Map<string, unknown>()

const verdict = (validate: ValidateFunction, yaml: string) => (validate(documentOf(yaml)) ? 'takes' : 'refuses')

function shapeErrors(yaml: string): readonly string[] {
  const { root } = parseYaml(new SourceText(yaml, 'x.study.yaml'))
  if (root === null) return []
  return [...new Set(checkShape(root).flatMap((d) => (d.severity === 'error' ? [d.code] : [])))].sort()
}

const checkable = STUDIES.filter((row) => row.schema !== null)
const isAlike = ({ schema, shape, stricter }: StudyCase) =>
  (schema === 'takes') === (shape.length === 0 && stricter?.[0] !== 'parse')

describe('the published schema of studies', () => {
  const validate = compile(published)
  const ofLock = compile(specialisedSchema(published, LOCK, 'x.lock.json') as Json)

  test('is checked against at least sixty studies, each with its own name', () => {
    expect(STUDIES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(STUDIES.map((row) => row.name)).size).toBe(STUDIES.length)
  })

  test.each(STUDIES)('agrees with the runner and the table on $name', (row) => {
    expect({
      schema: row.schema === null ? null : verdict(validate, row.yaml),
      shape: shapeErrors(row.yaml),
    }).toEqual({ schema: row.schema, shape: row.shape })
  })

  test('differs from the shape phase only where the table says why', () => {
    expect(checkable.filter((row) => isAlike(row) === (row.why !== undefined)).map((row) => row.name)).toEqual([])
  })

  test.each(checkable)('narrowed to a lock agrees with the table on $name', (row) => {
    expect(verdict(ofLock, row.yaml)).toBe(row.specialised ?? row.schema)
  })

  test('narrowed to a lock refuses nothing that the runner accepts, except names that only quotes make text', () => {
    const takes = (row: StudyCase) => row.shape.length === 0 && row.stricter === undefined
    const wrong = checkable.filter(
      (row) => takes(row) && row.why === undefined && verdict(ofLock, row.yaml) !== 'takes',
    )
    expect(wrong.map((row) => row.name)).toEqual([])
  })
})

describe('whatif validate --offline', () => {
  let project: Project
  let data: Record<string, { exit_code: number }>
  const codes = new Map<string, Set<string>>()
  const fileOf = (row: StudyCase) => `s${STUDIES.indexOf(row)}.study.yaml`

  beforeAll(async () => {
    project = await makeProject()
    await project.write('p.csv', SEED)
    for (const row of STUDIES) {
      await project.write(fileOf(row), row.yaml)
      await project.write(fileOf(row).replace('.yaml', '.lock.json'), renderLock(LOCK))
    }
    const { stdout } = await project.whatif(['validate', '--offline', '--json', ...STUDIES.map(fileOf)])
    const document = JSON.parse(stdout)
    data = document.data
    for (const { severity, code, range } of document.diagnostics) {
      if (severity !== 'error' || range === null) continue
      codes.set(range.filename, (codes.get(range.filename) ?? new Set()).add(code))
    }
  })
  afterAll(() => project.remove())

  test.each(STUDIES)('ends as the table says with $name', (row) => {
    const [phase, code] = row.stricter ?? []
    const exitCode = phase === 'lock' || phase === 'file' ? 4 : row.shape.length > 0 || phase !== undefined ? 3 : 0
    expect(data[fileOf(row)]?.exit_code).toBe(exitCode)
    const expected = [...row.shape, ...(code === undefined ? [] : [code])]
    expect([...(codes.get(fileOf(row)) ?? [])].sort()).toEqual(expected)
  })
})

/** Constraints whose absence no study can show, because another beside them says the same. */
const SAID_TWICE: readonly string[] = [
  // `not` with a pattern, and `oneOf` with required keys, hold for nothing but text and maps.
  'definitions/slug/type',
  'definitions/dataset/type',
  'definitions/partial/type',
  'definitions/partialRule/type',
  'definitions/axis/type',
  'definitions/backtest/type',
]

/**
 * A schema whose definitions find each other by name when they are asked, in place of being compiled into each other: with
 * another in place of one of them, that one alone is compiled.
 */
class SchemaInParts {
  readonly parts: ReadonlyMap<string, Json>
  /** The parts that the last document was held against: the others have no say in whether it is taken. */
  asked = new Set<string>()
  readonly #compiled = new Map<string, ValidateFunction>()
  readonly #ajv = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } })

  constructor(schema: Json) {
    this.#ajv.addKeyword({
      keyword: 'part',
      schemaType: 'string',
      validate: (name: string, data: unknown) => {
        this.asked.add(name)
        return this.#compiled.get(name)!(data) === true
      },
    })
    const text = JSON.stringify(schema).replaceAll(/"\$ref":"#\/definitions\/(\w+)"/g, '"part":"$1"')
    const { definitions, $id: _, ...root } = JSON.parse(text) as Json & { readonly definitions: Record<string, Json> }
    this.parts = new Map([...Object.entries(definitions), [ROOT, root]])
    for (const [name, part] of this.parts) this.#compiled.set(name, this.#ajv.compile(part))
  }

  takes(data: unknown): boolean {
    this.asked = new Set([ROOT])
    return this.#compiled.get(ROOT)!(data) === true
  }

  /** Asks with another schema in place of one part. */
  with<T>(name: string, part: Json, ask: () => T): T {
    const before = this.#compiled.get(name)!
    this.#compiled.set(name, this.#ajv.compile(part))
    try {
      return ask()
    } finally {
      this.#compiled.set(name, before)
    }
  }
}

const ROOT = ''

/** Every constraint of a schema, and the schema without it. */
function* mutants(schema: Json): Generator<{ path: string; schema: Json }> {
  const without = (path: readonly (string | number)[]): Json => {
    const copy = structuredClone(schema)
    // biome-ignore lint/suspicious/noExplicitAny: a walk through any JSON
    let node = copy as any
    for (const key of path.slice(0, -1)) node = node[key]
    if (Array.isArray(node)) node.splice(Number(path.at(-1)), 1)
    else delete node[path.at(-1) as string]
    return copy
  }
  const walk = function* (node: unknown, path: readonly (string | number)[]): Generator<(string | number)[]> {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      const at = [...path, key]
      const isNames = path.at(-1) === 'properties'
      if (!isNames && CONSTRAINTS.has(key)) {
        if (key === 'required' && Array.isArray(value) && value.length > 1) yield* value.map((_, i) => [...at, i])
        else yield at
      }
      yield* walk(value, at)
    }
  }
  for (const path of walk(schema, [])) yield { path: path.join('/'), schema: without(path) }
}

const CONSTRAINTS = new Set([
  ...['type', 'const', 'enum', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'items'],
  ...[
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
  ],
  ...['oneOf', 'anyOf', 'not', 'then', 'else', 'dependencies', 'sha256', 'auto_clean', 'display_name'],
  ...[
    'weight',
    'design',
    'drop',
    'missing',
    'types',
    'levels',
    'bands',
    'sheet',
    'header_rows',
    'encoding',
    'decimal',
    'columns',
    'recode',
    'multiple',
    'dates',
  ],
])

describe('every constraint of the published schema', () => {
  // What is refused first, because without a constraint most schemas take more; and the small ones first.
  const documents = checkable
    .toSorted((a, b) => Number(a.schema === 'takes') - Number(b.schema === 'takes') || a.yaml.length - b.yaml.length)
    .map((row) => ({ row, document: documentOf(row.yaml) }))
  const inParts = new SchemaInParts(published)
  const misjudged = ({ row, document }: (typeof documents)[number]) =>
    inParts.takes(document) !== (row.schema === 'takes')

  test('is needed by a study of the table', () => {
    const askedBy = new Map<string, (typeof documents)[number][]>([...inParts.parts.keys()].map((name) => [name, []]))
    const wrong = documents.filter((one) => {
      const isWrong = misjudged(one)
      for (const name of inParts.asked) askedBy.get(name)!.push(one)
      return isWrong
    })
    expect(wrong).toEqual([])
    const unseen: string[] = []
    let count = 0
    for (const [name, part] of inParts.parts) {
      for (const { path, schema } of mutants(part)) {
        count += 1
        const isSeen = inParts.with(name, schema, () => askedBy.get(name)!.some(misjudged))
        if (!isSeen) unseen.push(name === ROOT ? path : `definitions/${name}/${path}`)
      }
    }
    expect(unseen).toEqual(SAID_TWICE)
    expect(count).toBeGreaterThan(150)
  })
})
