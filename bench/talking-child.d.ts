import type { Serializable } from 'node:child_process'

export const AT_REST_MS: number

export class TalkingChild {
  constructor(name: string)
  // biome-ignore lint/suspicious/noExplicitAny: children answer in every shape
  ask(message: Serializable): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  step(step: string, request?: Readonly<Record<string, unknown>>): Promise<any>
  kill(): Promise<void>
}

export function watchMemory<T>(
  children: readonly TalkingChild[],
  work: () => Promise<T>,
): Promise<{ value: T; growth: (number | null)[] }>
