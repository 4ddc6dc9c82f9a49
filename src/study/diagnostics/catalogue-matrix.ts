import { countText } from '../../base/text/amount-text.ts'
import type { CatalogueText } from './diagnostic.ts'
import { DEFAULT_MAX_SCENARIOS, MAX_COMBINATIONS, MAX_CONDITIONS, MAX_SCENARIOS } from './limits.ts'

/** Matrix expansion. */
export const MATRIX_CODES = {
  S4101: {
    title: 'Unknown axis',
    explanation:
      'An entry of `exclude` or `override` names an axis that the matrix does not have. Correct the name, or add the axis.',
  },
  S4102: {
    title: 'Unknown axis value',
    explanation:
      'An entry of `exclude` or `override` names a value that the axis does not have. Use the slug of the value, not its number or patch.',
  },
  S4103: {
    title: 'Entry matches nothing',
    explanation:
      'An entry of `exclude` or `override` matches no remaining combination, because earlier entries of `exclude` have removed all of them. Such an entry does nothing and is usually a mistake. Remove it.',
  },
  S4104: {
    title: 'Two axes set the same value',
    explanation:
      'Two axes of one matrix set the same field, or one sets a column as a whole and the other sets one of its levels. The result would depend on the sequence of the axes. Let one axis set it, or use `override` for single combinations.',
  },
  S4105: {
    title: 'Empty matrix',
    explanation:
      '`exclude` removes every combination, and there is no `include`. Remove an entry of `exclude`, or the matrix.',
  },
  S4106: {
    title: 'Too many scenarios',
    explanation: `The number of combinations is the product of the sizes of the axes and grows quickly, and every scenario is generated and billed. Remove values or axes, exclude combinations, or raise \`limits.max_scenarios\` (${DEFAULT_MAX_SCENARIOS} by default) if you need so many. Whatever the limit is, a study has at most ${countText(MAX_SCENARIOS)} scenarios and ${countText(MAX_CONDITIONS)} conditions, and one matrix at most ${countText(MAX_COMBINATIONS)} combinations before \`exclude\`.`,
  },
  S4107: {
    title: 'Path of an axis',
    explanation:
      '`set` is the path, as a list, of the one value that the axis sets: [rows], [seed], [replicates], [format], [dataset], [partial], [shares, column, level], [ranges, column, min], [ranges, column, max], or a number of a gate such as [expect, fill, min], [expect, shares, tolerance], [expect, shares, columns, column] and [expect, ranges, outside_max]. An axis that sets more than one value has patches as its values and no `set`.',
  },
  W4201: {
    title: 'One generation per format',
    explanation:
      'Each value of an axis over `format` is generated and billed separately, although the rows are the same. Generate one format and convert the file locally.',
  },
} as const satisfies Record<string, CatalogueText>
