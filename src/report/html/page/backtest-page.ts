import { BACKTEST_NOTE } from '../../../answers/words/backtest-words.ts'
import type { BacktestRecord } from '../../../records/backtest.ts'
import { html } from '../markup.ts'
import { name } from '../names.ts'
import { backtestBody } from '../sections/backtest-section.ts'
import { framePage } from './frame.ts'

/** The beginning of a page of a backtest, which identifies it. */
export const BACKTEST_MARK = '<!doctype html>\n<!-- whatif backtest'

/** A backtest as one HTML file. `tool`: version of whatif. */
export function backtestPage(found: BacktestRecord, tool: string): string {
  return framePage({
    mark: BACKTEST_MARK,
    title: found.dataset,
    about: 'backtest',
    language: 'en',
    sections: [
      {
        id: 'backtest',
        title: 'Was it ever right?',
        body: html`${backtestBody('groups', found)}<p class="note">${BACKTEST_NOTE}</p>`,
      },
    ],
    origin: html`Made by whatif ${name(tool)}.`,
  })
}
