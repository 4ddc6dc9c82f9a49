import { type Explored, refusal } from './explored.ts'
import type { CellsQuestion, NaturalCells, Refused } from './wire/messages.ts'

/** How often the levels of two columns go together in the data as they are: the shares of one inside each level of the other. */
export async function naturalCells(
  { datasetId, client, call }: Explored,
  { columns: [first, second] }: CellsQuestion,
): Promise<NaturalCells | Refused> {
  try {
    const { value: reply } = await client.estimateDifferences(
      { datasetId, request: { scenario: {}, outcomes: [{ column: first }, { column: second }], by: first } },
      call(),
    )
    const shareOf = new Map((reply.outcomes[0]?.levels ?? []).map(({ level, baseline }) => [level, baseline]))
    const cells = (reply.segments ?? []).flatMap(({ level, outcomes }) => {
      const whole = shareOf.get(level)
      return whole === undefined
        ? []
        : (outcomes[1]?.levels ?? []).map((inside) => ({
            levels: [level, inside.level] as const,
            share: whole * inside.baseline,
          }))
    })
    return { kind: 'cells', cells }
  } catch (error) {
    return refusal(error)
  }
}
