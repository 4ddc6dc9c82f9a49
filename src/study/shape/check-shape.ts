import { validateFields, validateStudy } from '../../generated/study-shape-validator.ts'
import { diagnose } from '../diagnostics/diagnose.ts'
import { byPlace, type Diagnostic } from '../diagnostics/diagnostic.ts'
import {
  childItems,
  childMap,
  childNode,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { checkAxisPath } from './axis-path.ts'
import { axisPath, axisValues } from './axis-values.ts'
import { lintIds } from './name-lints.ts'
import { explainSchemaError, type SchemaError } from './schema-errors.ts'
import { FIELDS_SCHEMA, type SchemaNode, studySchema } from './study-schema.ts'
import { schemaValue } from './unquoted-value.ts'

/** A function made by Ajv; the generated module has no types. */
interface Validator {
  (value: unknown): boolean
  errors?: SchemaError[] | null
}

/** A slip in a matrix can occur in each of its values; more messages than this help nobody. */
const MOST_SHAPE_ERRORS = 200

/**
 * The shape phase: checks the document against the published schema, and finds faults that only the written form shows
 * (version, numbers, names). Later phases rely on the shape when there is no error.
 */
export function checkShape(root: LocatedMap): readonly Diagnostic[] {
  const version = checkVersion(root)
  if (version?.isNewer) return [version.diagnostic]
  const found = new Map<string, Diagnostic>()
  const add = (diagnostic: Diagnostic) => {
    const id = identity(diagnostic)
    if (found.size < MOST_SHAPE_ERRORS && !found.has(id)) found.set(id, diagnostic)
  }
  if (version) add(version.diagnostic)
  for (const diagnostic of validate(validateStudy as unknown as Validator, root, studySchema(), 'the study')) {
    add(diagnostic)
  }
  for (const diagnostic of checkAxes(root)) add(diagnostic)
  for (const diagnostic of lintIds(root)) add(diagnostic)
  return byPlace([...found.values()])
}

function validate(validator: Validator, node: LocatedNode, schema: SchemaNode, title: string): Diagnostic[] {
  const found: Diagnostic[] = []
  const isValid = validator(schemaValue(node, schema, found))
  for (const error of isValid ? [] : (validator.errors ?? []).slice(0, MOST_SHAPE_ERRORS * 5)) {
    const diagnostic = explainSchemaError(error, node, schema, title)
    // The version was checked as it was written.
    if (diagnostic !== null && error.keyword !== 'const') found.push(diagnostic)
  }
  return found
}

function checkVersion(root: LocatedMap): { diagnostic: Diagnostic; isNewer: boolean } | null {
  const node = childNode(root, 'version')
  if (node === undefined || (node.kind === 'scalar' && node.source === '1')) return null
  const isNewer = node.kind === 'scalar' && typeof node.value === 'number' && node.value > 1
  const written = node.kind === 'scalar' ? nameText(node) : `a ${node.kind}`
  const isQuoted = node.kind === 'scalar' && node.source === null
  return {
    isNewer,
    diagnostic: diagnose('S1101', {
      summary: isNewer
        ? `this file has version ${written} and needs a newer runner`
        : `the version must be the integer 1, not ${isQuoted ? `"${written}"` : written || 'nothing'}`,
      range: node.kind === 'scalar' && written !== '' ? node.range : root.entries.get('version')!.keyRange,
      detail: isNewer ? 'this runner reads version 1' : 'write: version: 1',
    }),
  }
}

/**
 * Axes with `set` or `sweep`: each value becomes a patch, and the patch is checked against the schema of fields. Missing bounds
 * are no fault of such a patch, because it adds one value to an existing range.
 */
function checkAxes(root: LocatedMap): Diagnostic[] {
  const found: Diagnostic[] = []
  const scenarios = childMap(root, 'scenarios')
  for (const { value: scenario } of scenarios?.entries.values() ?? []) {
    for (const axis of childItems(childNode(scenario, 'matrix'), 'axes')) {
      const path = axisPath(axis)
      if (path === null) continue
      const fault = checkAxisPath(path)
      if (fault !== null) found.push(fault)
      for (const { node } of fault === null ? axisValues(axis) : []) {
        if (node.kind !== 'scalar') continue
        const patch = patchOf(path, node)
        const faults = validate(validateFields as unknown as Validator, patch, FIELDS_SCHEMA, 'the axis')
        found.push(...faults.filter((f) => f.code !== 'S1103'))
      }
    }
  }
  return found
}

/** `[shares, region, North]` and 0.5 → `{ shares: { region: { North: 0.5 } } }`, each key placed at its path item. */
export function patchOf(path: readonly Located<string>[], value: LocatedNode): LocatedMap {
  const patch = path.reduceRight<LocatedNode>(
    (inner, { value: key, range }) => ({
      kind: 'map',
      range,
      entries: new Map([[key, { key, keyRange: range, isUnquoted: false, value: inner }]]),
    }),
    value,
  )
  return patch as LocatedMap
}

/** A value has one form; an error of several alternatives is reported once. */
function identity({ code, range, summary }: Diagnostic): string {
  return JSON.stringify([code, range?.start.offset, code === 'S1104' ? null : summary])
}
