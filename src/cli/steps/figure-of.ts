import { escapeText } from '../../base/text/escape-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { SetupError } from '../../local/setup-error.ts'
import { figureNamed, type NamedFigure, quantileNamed } from '../../runner/estimates/named-figure.ts'

/** What figures commands take, for their help. */
export const FIGURE_FORMS =
  'a share such as purchase.intent.Yes, a number for its mean, or quantiles.spend.0.5 for its median'

/** The figure that an option names. @throws SetupError with exit code 4 for a name that the data do not have. */
export function figureOf(option: string, name: string, schema: readonly AnySchemaColumn[]): NamedFigure {
  const figure = quantileNamed(name, schema) ?? figureNamed(name, schema)
  if (typeof figure === 'string') throw new SetupError(4, `${option} ${escapeText(figure)}`)
  return figure
}
