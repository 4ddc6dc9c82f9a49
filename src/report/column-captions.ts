import { comparedScenario } from '../answers/words/compared-scenario.ts'
import { labelText } from '../base/text/label-text.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { codeText } from './markdown-text.ts'

/**
 * What columns of results mean, a list item for each column whose dataset has a label for it: the name and the label,
 * both as code, because they may be of unknown origin. If datasets give a column different labels, each has its item.
 *
 * @param named columns by scenario, in the order in which the results show them.
 */
export function columnCaptions(
  manifest: Manifest,
  named: readonly (readonly [scenario: string, columns: readonly string[]])[],
): string[] {
  const items = new Set<string>()
  for (const [scenario, columns] of named) {
    const labels = manifest.datasets[comparedScenario(manifest, scenario)?.dataset ?? '']?.labels ?? {}
    for (const column of columns) {
      const raw = Object.hasOwn(labels, column) ? labels[column] : undefined
      const label = raw === undefined ? undefined : labelText(raw)
      if (label !== undefined) items.add(`- ${codeText(column)}: ${codeText(label)}`)
    }
  }
  return [...items]
}
