import { wordsOf } from '../../base/text/folded-words.ts'

/** What the label of a row of totals says about its figures. */
export type TotalsLabel = 'total' | 'count' | 'mean' | 'share' | 'min' | 'max' | 'deviation' | 'other'

/** Words by which a row of totals is labelled, in the languages of spreadsheets. */
const WORDS: Readonly<Record<TotalsLabel, string>> = {
  total: `total totals totales totaux totale totali totais totaal eindtotaal grand general generale geral overall sum sums
    subtotal summe summen gesamt gesamtsumme gesamtergebnis insgesamt zusammen ensemble somme suma sumas soma somma som
    complessivo razem ogolem lacznie koncowa summa totalt toplam genel celkem soucet yhteensa osszesen
    итого всего сумма разом усього 合計 総計 小計 合计 总计 總計 합계 총계 소계 المجموع الإجمالي`,
  count:
    'n base count anzahl basis fallzahl effectif effectifs nombre recuento recompte conteggio contagem aantal liczba antal 件数 人数',
  mean: `mean means average averages avg mittelwert durchschnitt mittel moyenne promedio media medias mitjana gemiddelde
    srednia ortalama medelvarde gennemsnitt gennemsnit среднее 平均 평균`,
  share: 'percent percentage prozent pourcentage porcentaje percentuale procent anteil share',
  min: 'min minimum minimo',
  max: 'max maximum maximo massimo',
  deviation: `sd std dev stddev stdev deviation standard standardabweichung stdabw ecart type desviacion tipica estandar
    desvio padrao deviazione odchylenie standardowe standaardafwijking`,
  other: 'median mediane mediana mediaan',
}

const LABEL_OF = new Map(
  Object.entries(WORDS).flatMap(([label, words]) => wordsOf(words).map((word) => [word, label as TotalsLabel])),
)

/** Signs that are labels alone. */
const SIGNS: ReadonlyMap<string, TotalsLabel> = new Map([
  ['Ø', 'mean'],
  ['∅', 'mean'],
  ['Σ', 'total'],
  ['∑', 'total'],
  ['%', 'share'],
])

/** Longer texts are no labels of totals. */
const MAX_LENGTH = 40
/** Numbers of respondents are none, and found fast. */
const HAS_WORD = /[A-Za-z]|[^\d\s.,:;+()[\]/-]/

/** What a text says as the label of a row of totals ("Grand total:", "N = 120"); null: it is no such label. */
export function totalsLabel(text: string): TotalsLabel | null {
  if (text.length > MAX_LENGTH || !HAS_WORD.test(text)) return null
  const sign = SIGNS.get(text.trim().replace(/ ?[:=]$/, ''))
  if (sign !== undefined) return sign
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

/** Words that say "total" or "subtotal" beside the name of a group: "North total", "Zwischensumme Nord". */
const GROUP_WORDS = new Set(
  wordsOf(`total totals totales totaux totale totali totaal totalt subtotal subtotals subtotales subtotaal subtotale summe
    zwischensumme teilsumme ergebnis gesamt somme suma soma somma summa toplam ogolem итого всего сумма المجموع`),
)
const GROUP_SIGNS = /小計|合計|集計|小计|合计|汇总|소계|합계/

/** Whether a text may label the totals of a group of rows, or of all. */
export function namesTotals(text: string): boolean {
  if (text.length > MAX_LENGTH || !HAS_WORD.test(text)) return false
  return GROUP_SIGNS.test(text) || wordsOf(text).some((word) => GROUP_WORDS.has(word)) || totalsLabel(text) === 'total'
}
