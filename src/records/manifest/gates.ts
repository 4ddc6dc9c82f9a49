import { z } from 'zod'
import { byName, count, interval, number, ordinal, size, text } from '../values/common-values.ts'
import type { Written } from './written.ts'

export const GateResult = z
  .object({
    id: text.describe(
      'Kind and subject: `fill`, `shares:<column>`, `ranges`, `means:<column>`, `cells`, `delta:<scenario>:<column>[:<level>]`, `mixed_model`, of a backtest `coverage`, `error` and `beyond_chance`, or one of a later version.',
    ),
    level: z.enum(['fail', 'warn']),
    evaluated: count.describe('Checks made; a gate that could make none has not passed.'),
    passed: z.boolean(),
    expected: byName(z.union([number, text])),
    divisor: ordinal
      .optional()
      .describe(
        'Of a gate that is judged together with others (Holm): its interval has the confidence 1 - (1 - confidence) / divisor.',
      ),
    actual: number.nullable().describe('Null: there was nothing to evaluate, which fails the gate.'),
    chance: size
      .optional()
      .describe(
        'Noise of generation: the variation by chance alone, 2·√(p(1−p)/n), if rows are sampled independently.',
      ),
    interval: interval
      .optional()
      .describe('Of a gate that asks for confidence: the interval of the difference at that confidence.'),
    reason: text
      .optional()
      .describe(
        'For a gate with confidence: why there is no interval to evaluate (too_few_rows, generation_only, no_standard_error).',
      ),
  })
  .meta({ id: 'gate' })

export type GateResult = Written<z.infer<typeof GateResult>>
