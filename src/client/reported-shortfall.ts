import { z } from 'zod'
import { Shortfall } from '../contract/generations.ts'
import { NearestMix } from '../contract/nearest-mix.ts'
import { extra } from './tolerant-fields.ts'

/** What cannot be read of the nearest mix leaves the reasons as they are. */
export const ReportedShortfall = z.object({ ...Shortfall.shape, nearest_mix: extra(NearestMix) })
