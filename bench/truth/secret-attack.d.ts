import type { RowKeys } from '../../src/engine/disclosure/row-keys.ts'
import type { estimateDifferences } from '../../src/engine/estimates/estimate-differences.ts'
import type { assessScenario } from '../../src/engine/generate.ts'
import type { Model } from '../../src/engine/model/model.ts'
import type { RequestedConditions } from '../../src/engine/scenario/scenario.ts'

export interface Person {
  readonly sex: string
  readonly age: number
  readonly income: number
  readonly secret: string
}

interface Engine {
  readonly RowKeys: typeof RowKeys
  readonly assessScenario: typeof assessScenario
  readonly estimateDifferences: typeof estimateDifferences
}

interface Channel {
  readonly share: number
  readonly namesSecret: boolean
  readonly ask: (engine: Engine, model: Model, of: RequestedConditions, secret: string) => Promise<number>
}

export const SECRETS: readonly string[]
export const CHANCE: number
export const MOST_RECOVERED: number
export const CHANNELS: Readonly<Record<string, Channel>>

export function drawPeople(count: number, random: { real(): number }): Person[]

export function attack(
  engine: Engine,
  model: Model,
  people: readonly Person[],
  channel: Channel,
): Promise<{ readonly recovered: number; readonly answered: number }>
