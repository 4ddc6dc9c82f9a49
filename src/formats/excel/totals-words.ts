import { wordsOf } from '../../base/text/folded-words.ts'

/** What the label of a row of totals says about its figures. */
export type TotalsLabel = 'total' | 'count' | 'mean' | 'other'

/** Words by which a row of totals is labelled, without accents, in nine languages. */
const WORDS: Readonly<Record<TotalsLabel, string>> = {
  total: `total totals totales totaux totale totali totais totaal eindtotaal grand general generale geral overall sum sums
    subtotal summe summen gesamt gesamtsumme gesamtergebnis insgesamt zusammen ensemble somme suma sumas soma somma som
    complessivo razem ogolem lacznie koncowa`,
  count:
    'n base count anzahl basis fallzahl effectif effectifs nombre recuento recompte conteggio contagem aantal liczba',
  mean: `mean means average averages avg mittelwert durchschnitt mittel moyenne promedio media medias mitjana gemiddelde
    srednia`,
  other: `median min max minimum maximum sd std dev stddev stdev deviation standard standardabweichung stdabw ecart type
    mediane mediana mediaan desviacion tipica desvio padrao odchylenie standardowe`,
}

const LABEL_OF = new Map(
  Object.entries(WORDS).flatMap(([label, words]) => words.split(/\s+/).map((word) => [word, label as TotalsLabel])),
)

/** Longer texts are no labels of totals. */
const MAX_LENGTH = 40

/** What a text says as the label of a row of totals ("Grand total:", "N = 120"); null: it is no such label. */
export function totalsLabel(text: string): TotalsLabel | null {
  if (text.length > MAX_LENGTH) return null
  const labels = wordsOf(text)
    .filter((word) => !/^\d+$/.test(word))
    .map((word) => LABEL_OF.get(word))
  return labels.length === 0 || labels.includes(undefined) ? null : (labels[0] ?? null)
}

/** The only number that a label has in digits: 120 of "N = 120". */
export function numberIn(text: string): number | null {
  const numbers = text.match(/\d+/g) ?? []
  return numbers.length === 1 ? Number(numbers[0]) : null
}
