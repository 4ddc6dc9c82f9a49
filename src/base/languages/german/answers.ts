import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, hatOrHaben, istOrSind, plural, rows, scenarios } from './numbers.ts'

const ueberzufaellig = (value: number): string => `${istOrSind(value)} überzufällig`

export const ANSWERS: Words['answers'] = {
  heads: {
    scenario: 'Szenario',
    outcome: 'Zielgröße',
    baseline: 'Basis',
    difference: 'Differenz',
    interval: '95-%-Intervall',
    inRows: 'In den Zeilen',
    beyond: 'Überzufällig',
    notes: 'Hinweise',
    marks: 'Hinweise',
    from: 'Von',
    to: 'Auf',
  },
  marks: {
    'asked for': 'vorgegeben',
    thin: 'schwach gestützt',
    'too few seed rows': 'zu wenige Ausgangszeilen',
    'another training': 'anderes Training',
  },
  generationAlone: 'Intervall nur für das Zufallsrauschen der Erzeugung',
  withModel: (difference) => `mit Hilfe des Modells ${difference} (im Mittel näher, abgeschwächt)`,
  bases: {
    seed: 'den Ausgangsdaten, auf beide Szenarien umgewichtet',
    effective_rows: 'einer Schranke aus den effektiven Zeilen',
    generation: 'nur dem Zufallsrauschen der Erzeugung',
  },
  noEstimates: {
    no_estimates_operation: 'der Dienst schätzt keine Differenzen aus den Ausgangsdaten',
    no_segment_estimates: 'der Dienst schätzt keine Differenzen innerhalb von Segmenten',
    no_where_estimates: 'der Dienst schätzt keine Differenzen unter den Zeilen von `where`',
    no_quantile_estimates: 'der Dienst nennt keine Quantile: Er schützt seine Ausgangsdaten oder kennt sie nicht',
    estimates_dataset_gone: 'der Dienst hat den Datensatz nicht mehr',
    estimates_other_model: 'die beiden Seiten stammen aus verschiedenen Modellen',
    estimates_refused: 'der Dienst hat die Schätzung abgelehnt',
    estimates_unreadable: 'die Antwort des Dienstes war nicht lesbar',
    estimates_failed: 'der Dienst hat nicht geantwortet; der nächste Lauf fragt erneut',
    estimates_not_asked:
      'der Dienst wurde nicht gefragt: Der Lauf endete vorher, oder die Daten enthalten das Genannte nicht',
  },
  restOn: (bases) => `die Intervalle beruhen auf: ${bases}`,
  noIntervals: (why) => `keine Intervalle: ${why}`,
  noQuantileIntervals: (why) => `keine Intervalle für Quantile: ${why}`,
  notes: [
    'Die Antwort ist, was die Ausgangsdaten sagen: die Differenz zwischen ihren eigenen Zeilen, auf beide Szenarien umgewichtet. Ihr Intervall enthält die Differenz in der Grundgesamtheit mit 95 % Konfidenz, sofern die Ausgangsdaten eine Zufallsstichprobe daraus sind. Beides hängt nicht davon ab, wie viele Zeilen erzeugt werden.',
    '„In den Zeilen“ ist dieselbe Differenz in den erzeugten Zeilen. Sie folgen den Antworten, soweit sie können, innerhalb von Segmenten weniger.',
    '„Schwach gestützt“ ist eine Antwort, hinter der weniger als 50 Zeilen der Ausgangsdaten stehen oder weniger als 20 Freiheitsgrade (50 bei einem Mittelwert). Bei weniger als 20 Zeilen gibt es kein Intervall. Unter 50 Zeilen steht daneben eine Zahl mit Hilfe des Modells: die Differenz der Ausgangsdaten, gemischt mit der der Zeilen. Sie liegt im Mittel näher an der Wahrheit und ist abgeschwächt, also zu klein.',
  ],
  shareOutcome: (column, level) => said`der Anteil von ${column} ${level}`,
  numberOutcome: (figure, column) => said`der ${figure} von ${column}`,
  sentence: ({ scenario, outcome, rows: counted, falls, from, to, difference, interval }) => {
    // „Der 90-%-Quantil“ gibt es nicht: Quantile sind sächlich.
    const subject = outcome.map((part) =>
      typeof part === 'string' ? part.replace(/^der (\S*-Quantil)/, 'das $1') : part,
    )
    return said`Mit ${scenario} ${falls ? 'fällt' : 'steigt'} ${subject}${counted === null ? '' : said`${' in Zeilen mit '}${counted}`} von ${from} auf ${to}: ${difference}${interval === '' ? '' : `, 95-%-Intervall ${interval}`}`
  },
  countedIn: (where, seedRows) => `gezählt in Zeilen mit ${where}${seedRows === null ? '' : ` (${seedRows})`}`,
  notCompared: {
    shares: '',
    means: ' Mittelwert',
    quantiles: ' Quantile',
    segments: ' Segmente',
    where: ' unter where',
  },
  notInData: (names) =>
    `nicht verglichen, weil es ${names.length === 1 ? 'das' : 'die'} in den Daten nicht gibt: ${names.join(', ')}`,
  brokenRules: (broken, rule, others) =>
    `${rows(broken)} ${broken === 1 ? 'verletzt' : 'verletzen'} „${rule}“${others === 0 ? '' : `, und ${plural(others, 'weitere Regel ist', 'weitere Regeln sind')} verletzt`}`,
  trial: (most) =>
    `Probelauf mit höchstens ${rows(most)} je Szenario: Die Zahlen sind gröber als die der Studie, und Prüfungen zählen nicht`,
  nearestConditions: 'Die nächsten Bedingungen mit allen Zeilen:',
  nearestMix: (points) => `Die nächste Mischung mit allen Zeilen verschiebt Anteile um ${points}:`,
  nothingToEvaluate: 'nichts zu prüfen',
  gateInterval: (percent, interval) =>
    percent === null ? `Intervall ${interval}` : `${percent.replace(/\s?%/, '-%')}-Intervall ${interval}`,
  noInterval: {
    too_few_rows: 'zu wenige Ausgangszeilen für ein Intervall',
    generation_only: 'kein Intervall: Nur das Zufallsrauschen der Erzeugung ist bekannt',
    no_standard_error: 'kein Intervall: Eine Seite hat weniger als zwei Werte',
    other: 'kein Intervall',
  },
  verdicts: {
    none: 'keine Differenzen',
    noneAsMissing: 'keine Differenzen, weil Ergebnisse fehlen',
    tooFew: (all) => `${differences(all)}; zu wenige Ausgangszeilen für ein Intervall`,
    unknown: (all) => `${differences(all)}; ob Zufall, lässt sich nicht beurteilen`,
    oneWithin: 'die Differenz liegt im Rahmen des Zufalls',
    oneBeyond: 'die Differenz ist überzufällig',
    noneBeyond: (all) => `keine von ${count(all)} Differenzen ist überzufällig`,
    someBeyond: (beyond, all) => `${count(beyond)} von ${count(all)} Differenzen ${ueberzufaellig(beyond)}`,
    questions: (beyond, asked) =>
      asked === 1
        ? `die Antwort auf die Frage ${beyond === 1 ? 'ist überzufällig' : 'liegt im Rahmen des Zufalls'}`
        : `auf ${beyond === 0 ? 'keine' : count(beyond)} von ${count(asked)} Fragen ist die Antwort überzufällig`,
    moreOfThem: (more) => `${count(more)} weitere`,
    moreBeyond: (more) => `${count(more)} weitere ${ueberzufaellig(more)}`,
    moreWithin: (more) => `${count(more)} weitere ${more === 1 ? 'liegt' : 'liegen'} im Rahmen des Zufalls`,
    moreTooFew: (more) => `${count(more)} weitere ${hatOrHaben(more)} zu wenige Ausgangszeilen für ein Intervall`,
    moreUnknown: (more) => `bei ${count(more)} weiteren lässt sich Zufall nicht beurteilen`,
    oneInTwenty: 'etwa 1 von 20 überzufälligen Antworten ist dennoch Zufall',
    ifNone: (chance, decided) =>
      `wäre keine Differenz echt, wären etwa ${count(chance)} von ${count(decided)} überzufällig`,
    bySegments: (by, what) => `nach ${by}: ${what}`,
    segmentsUnknown: (all) => `${differences(all)} innerhalb von Segmenten; ob Zufall, lässt sich nicht beurteilen`,
    segments: (beyond, all, chance) =>
      `${count(beyond)} von ${count(all)} Differenzen innerhalb von Segmenten ${ueberzufaellig(beyond)}${chance === null ? '' : `; wäre keine echt, wären es etwa ${count(chance)}`}`,
    pooled: (pooled, fewest, most) => {
      const replicates = plural(most, 'Wiederholung', 'Wiederholungen')
      const span = fewest === most ? replicates : `${fewest} bis ${replicates}`
      return pooled === 1
        ? `1 Szenario ist aus ${span} zusammengefasst`
        : `${count(pooled)} Szenarien sind aus je ${span} zusammengefasst`
    },
    withoutResult: (missing) => `${scenarios(missing)} ohne Ergebnis auf beiden Seiten`,
  },
}
