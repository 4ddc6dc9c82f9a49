import { backtestNote } from '../../../answers/words/backtest-words.ts'
import { note } from '../../../base/document/block.ts'
import { html } from '../../../base/document/markup.ts'
import { name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import type { BacktestRecord } from '../../../records/backtest.ts'
import { backtestBlocks } from '../sections/backtest-section.ts'
import { framePage } from './frame.ts'

/** The beginning of a page of a backtest, which identifies it. */
export const BACKTEST_MARK = '<!doctype html>\n<!-- whatif backtest'

/** A backtest as one HTML file, in the language in effect. `tool`: version of whatif. */
export function backtestPage(found: BacktestRecord, tool: string): string {
  return framePage({
    mark: BACKTEST_MARK,
    title: found.dataset,
    about: 'backtest',
    language: words().tag,
    sections: [
      {
        id: 'backtest',
        title: words().backtests.title,
        blocks: [...backtestBlocks('groups', found), note(backtestNote())],
      },
    ],
    origin: html`${words().backtests.madeBy<Text>(name(tool))}`,
  })
}
