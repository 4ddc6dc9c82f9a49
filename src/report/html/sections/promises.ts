import { type Block, heading } from '../../../base/document/block.ts'
import { words } from '../../../base/language/language.ts'

/** What no synthetic row promises; the README says more. */
export const promises = (): readonly Block[] => [
  heading(words().data.promises),
  { kind: 'list', items: words().data.promised },
]
