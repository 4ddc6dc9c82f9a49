import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { childMap, type LocatedMap } from '../yaml/located-node.ts'

/**
 * Plain scalars that YAML 1.1 (types bool, null, int, float, timestamp and value of its repository) does not
 * read as the text they are. Decimal integers without leading zero become numbers there too, but come out unchanged.
 */
const CHANGED_BY_YAML_1_1 = [
  /^(?:y|n|yes|no|true|false|on|off)$/i,
  /^(?:~|null)?$/i,
  /^=$/,
  /^[-+]?0[0-7_]+$|^[-+]?0[0-9]+$/,
  /^[-+]?[0-9][0-9]*_[0-9_]*$/,
  /^[-+]?0[bx][0-9a-f_]+$/i,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?[0-9][0-9_]*e[-+]?[0-9]+$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}.*)?$/,
]

/** Whether a YAML 1.1 reader takes this text, without quotes, for something else. */
export function isChangedByYaml11(text: string): boolean {
  return CHANGED_BY_YAML_1_1.some((pattern) => pattern.test(text))
}

/**
 * Warnings about ids that start with `x-`. Extension keys are ignored at every structural level (study language,
 * section 2). Here the author chooses the keys, as with `services` in compose files, and `x-large` is one.
 */
export function lintIds(root: LocatedMap): Diagnostic[] {
  return (['scenarios', 'datasets'] as const).flatMap((key) => {
    const ids = [...(childMap(root, key)?.entries.values() ?? [])].filter((entry) => entry.key.startsWith('x-'))
    const what = key === 'scenarios' ? 'a scenario, which is generated and billed,' : 'a dataset'
    return ids.map(({ key: id, keyRange }) =>
      diagnose('W1307', {
        summary: `"${id}" is ${what} and not an extension key`,
        range: keyRange,
        detail: `keys under ${key} are ids; move ignored entries to the top of the file`,
      }),
    )
  })
}

/** Warnings about the keys of a map of columns or levels. */
export function lintDataKeys(map: LocatedMap): Diagnostic[] {
  const found: Diagnostic[] = []
  const composed = new Map<string, string>()
  for (const { key, keyRange, isUnquoted } of map.entries.values()) {
    if (isUnquoted && isChangedByYaml11(key)) {
      found.push(
        diagnose('W3101', {
          summary: `other YAML readers change the unquoted name ${key}`,
          range: keyRange,
          detail: `write "${key}"`,
        }),
      )
    }
    const normal = key.normalize('NFC')
    const twin = composed.get(normal)
    if (twin !== undefined) {
      found.push(
        diagnose('W3102', {
          summary: `"${key}" is written twice with different Unicode characters that look the same`,
          range: keyRange,
          detail: 'only one of them can be the name in the data',
          related: [{ message: 'the other one', range: map.entries.get(twin)!.keyRange }],
        }),
      )
    }
    composed.set(normal, key)
  }
  return found
}
