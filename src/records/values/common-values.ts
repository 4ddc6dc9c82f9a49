import { z } from 'zod'

/** Values that many records hold. */

export const text = z.string()
export const texts = z.array(text)
export const number = z.number()
/** A whole number of things. */
export const count = z.int().min(0)
/** A whole number from 1. */
export const ordinal = z.int().min(1)
/** A number of at least 0: a distance, a share of rows, a standard error. */
export const size = z.number().min(0)
/** A share that is at most 1 for certain. */
export const share = z.number().min(0).max(1)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Readers print times, and do not calculate with them. */
export const moment = z.string().meta({ format: 'date-time' })
export const numberRange = z.object({ min: number, max: number })
export const interval = z.tuple([number, number]).meta({ id: 'interval', description: 'Low and high end.' })

/** An object whose keys are data: ids, columns, levels. */
export const byName = <Value extends z.ZodType>(value: Value) => z.record(text, value)
