export const PAPER_TABLES: readonly string[]

interface PaperRow {
  readonly title: string
  readonly digits: number
  readonly ours: number | null
  readonly spread: number | null
  readonly others: Readonly<Record<string, number | null>>
  readonly target: { readonly kind: 'must' | 'aim'; readonly text: string; readonly isMet: boolean } | null
}

export function paperTable(found: {
  readonly name: string
  readonly record: Readonly<Record<string, unknown>>
  readonly published: Readonly<Record<string, unknown>>
}): { readonly name: string; readonly rows: readonly PaperRow[] }
