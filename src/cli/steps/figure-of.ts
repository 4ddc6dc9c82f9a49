import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { SetupError } from '../../local/setup-error.ts'
import { figureNamed, type NamedFigure } from '../../runner/estimates/named-figure.ts'

/** The figure that an option names. @throws SetupError with exit code 4 for a name that the data do not have. */
export function figureOf(option: string, name: string, schema: readonly AnySchemaColumn[]): NamedFigure {
  const figure = figureNamed(name, schema)
  if (typeof figure === 'string') throw new SetupError(4, `${option} ${escapeText(figure)}`)
  return figure
}
