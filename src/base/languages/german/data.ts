import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, plural, rows } from './numbers.ts'

const columns = (value: number): string => plural(value, 'Spalte', 'Spalten')

export const DATA: Words['data'] = {
  title: 'Daten und Modell',
  trainedEarlier: 'Das Modell wurde früher trainiert.',
  seedFile: (file) => said`Die Ausgangsdatei ist ${file}.`,
  cleaningNotReported: 'Der Dienst berichtet nicht, was die Bereinigung getan hat.',
  qualityNotReported: 'Der Dienst berichtet nicht, wie gut das Modell ist.',
  sizes: (all, wide, left, kept) =>
    `Sie hat ${rows(all)} und ${columns(wide)}; die Bereinigung behält ${left === null ? 'alle Zeilen' : rows(left)} und ${kept === null ? 'alle Spalten' : columns(kept)}.`,
  leftOut: (of) => `Die Bereinigung hat ${columns(of)} weggelassen:`,
  leftOutFor: (names, _of, reason) => said`${names}: ${reason}.`,
  reasons: {
    constant: 'derselbe Wert in allen Zeilen',
    near_zero_variance: 'derselbe Wert in fast allen Zeilen',
    mostly_missing: 'überwiegend leer',
    identifier: 'kennzeichnet einzelne Zeilen oder Personen',
    free_text: 'Freitext',
    too_many_levels: 'zu viele verschiedene Werte',
    unmodelled: 'nicht modellierbar',
    case_weight: 'enthält die Gewichte der Zeilen',
    survey_design: 'sagt, wie die Zeilen gezogen wurden',
  },
  promises: 'Was synthetische Zeilen nicht versprechen',
  promised: [
    'Erzeugte Zeilen sind kein Nachweis von Datenschutz: Je mehr davon auf eine Zeile der Ausgangsdaten kommen, desto besser verraten sie, wer darin vorkommt.',
    'Sie nennen keine Ursachen: Ein Szenario gewichtet die Antworten der Ausgangsdaten und weiß nicht, warum Menschen etwas tun.',
    'Sie sind keine neuen Personen: Ein Intervall sagt, was die Ausgangsdaten hergeben, wie viele Zeilen auch erzeugt werden.',
    'Was nur wenige Zeilen der Ausgangsdaten zeigen, ist unsicher; was keine zeigt, lässt sich nicht erzeugen.',
    'Eine Ausprägung wird geschrieben, wie sie ist, auch wenn eine Tabellenkalkulation sie für eine Formel hielte.',
  ],
  quality: {
    measured: (trained, heldOut) =>
      `Ein Modell aus ${rows(trained)} wurde mit ${rows(heldOut)} verglichen, die es nicht gesehen hatte.`,
    detectable: (auc) =>
      `Bei so wenigen Zeilen ist eine AUC von ${auc} die kleinste, die mit einer Teststärke von 80 % entdeckt wird.`,
    notMeasured: (figure, reason) => said`Nicht gemessen: ${figure}. ${reason}`,
    stroke: 'Der Strich ist der Wert anderer echter Zeilen.',
    held: (held, known) =>
      `Bei ${held} von ${known} Werten liegt die Referenz, der Strich, im Band des Zufalls oder in ihrem 95-%-Intervall.`,
    attackNote: ' Der Angriff auf Mitglieder nutzt N erzeugte Zeilen bei n Trainingszeilen.',
    noGuarantee: ' Das ist ein Anhaltspunkt und keine Garantie für Datenschutz.',
    title: 'Güte des Modells',
    heads: { figure: 'Kennzahl', model: 'Modell', against: 'Vergleich' },
    shapes: 'Form der Spalten',
    pairs: (pairs) => plural(pairs, 'Spaltenpaar', 'Spaltenpaare'),
    distinguished: 'Von echten Zeilen unterschieden',
    nearerTrained: 'Näher an einer Trainingszeile',
    attack: (times) => `Angriff auf Mitglieder, N = ${times === 1 ? '' : `${times} `}n`,
    correlations: (pairs) => `Stärke von ${plural(pairs, 'Korrelation', 'Korrelationen')}`,
    items: (first, last) => said`Items ${first} bis ${last}`,
    groupDifferences: 'Unterschiede zwischen Gruppen',
    medianOf: (of) => `Ihr Median über ${columns(of)}`,
    differencesOf: (column) => said`Unterschiede bei ${column}`,
    pmse: 'pMSE, Verhältnis zur Erwartung',
    copies: 'Genaue Kopien von Trainingszeilen',
    rareNumbers: 'Mit einer Zahl aus weniger als 10 Ausgangszeilen',
    strength: (low, high) => `95 %: ${low} bis ${high}; echte Zeilen 1`,
    aroundOne: (chance) => `1 ± ${chance} durch Zufall`,
    auc: (half, chance) => `AUC; ${half} ± ${chance} durch Zufall`,
    share: (half, chance) => `Anteil; ${half} ± ${chance} durch Zufall`,
    otherRows: (figure) => `andere echte Zeilen ${figure}`,
    trainedRows: (of) => `Trainingszeilen: ${of}`,
    rows: (of) => rows(of),
    underTen: 'unter 10 Zeilen',
  },
  risk: {
    title: 'Risiko der Mitgliedschaft',
    heads: {
      dataset: 'Datensatz',
      perTrained: 'Zeilen je Trainingszeile',
      auc: 'AUC des Angriffs',
      chance: 'Zufall',
      measuredAt: 'Gemessen bei',
    },
    together: 'alle zusammen',
    note: 'Wie gut jemand, der eine ganze Zeile kennt, an den gelieferten Zeilen erkennt, ob sie in den Trainingsdaten war: 0,5 bedeutet gar nicht. Die AUC wurde ohne Szenario gemessen, bei so vielen Zeilen je Trainingszeile, wie in der letzten Spalte stehen; mit mehr Zeilen ist das Risiko größer.',
  },
  density: {
    title: 'Mehr Zeilen, als die Ausgangsdaten hergeben',
    heads: { rows: 'Zeilen', seedRows: 'Zeilen der Ausgangsdaten', perSeedRow: 'Zeilen je Ausgangszeile' },
    note: (most, risks, half) =>
      `Diese haben mehr als ${count(most)} Zeilen je Zeile, die die Bereinigung von der Ausgangsdatei übrig ließ. Weitere Zeilen bringen keine Information und erhöhen das Risiko für die Personen in den Ausgangsdaten: Der Abstand zur nächsten erzeugten Zeile unterschied sie von anderen mit einer Fläche unter der ROC-Kurve von ${risks.map(({ rowsPerRow, auc }) => `${auc} bei ${rowsPerRow}`).join('; ')} Zeilen je Ausgangszeile (${half} ist Zufall; gemessen an simulierten Personen).`,
  },
}
