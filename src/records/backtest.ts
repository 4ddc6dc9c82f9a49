/** What `whatif backtest --json` says: how well reweighting predicts groups that were asked. */

import { z } from 'zod'
import { BACKTEST_MEMBERS } from './manifest/backtests.ts'
import type { Written } from './manifest/written.ts'

export const BacktestRecord = z.object(BACKTEST_MEMBERS)
export type BacktestRecord = Written<z.infer<typeof BacktestRecord>>
