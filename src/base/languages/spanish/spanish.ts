import type { Words } from '../english/english.ts'
import { ALERTS } from './alerts.ts'
import { ANSWERS } from './answers.ts'
import { BACKTESTS } from './backtests.ts'
import { DATA } from './data.ts'
import { DECK } from './deck.ts'
import { FIGURES } from './figures.ts'
import { FIRST_SCREEN } from './first-screen.ts'
import { FORM } from './numbers.ts'
import { RECORD } from './record.ts'
import { SECTIONS } from './sections.ts'
import { TABLES } from './tables.ts'
import { WORKBOOK } from './workbook.ts'

export const SPANISH: Words = {
  tag: 'es',
  numbers: FORM,
  ...{ figures: FIGURES, answers: ANSWERS, firstScreen: FIRST_SCREEN, alerts: ALERTS, sections: SECTIONS },
  ...{ backtests: BACKTESTS, data: DATA, tables: TABLES, record: RECORD },
  ...{ workbook: WORKBOOK, deck: DECK },
}
