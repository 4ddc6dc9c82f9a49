import type { Words } from '../english/english.ts'
import { count, hatOrHaben, plural, scenarios } from './numbers.ts'

const outcomes = (value: number): string => plural(value, 'Zielgröße', 'Zielgrößen')

export const DECK: Words['deck'] = {
  tag: 'de-DE',
  part: (part, parts) => ` (${part} von ${parts})`,
  inFull: 'Ausgeschrieben:',
  answerSides: 'Basis → Szenario',
  low: '95 % von',
  high: '95 % bis',
  whiskerBelow: 'Balken nach unten',
  whiskerAbove: 'Balken nach oben',
  titleOf: (title, comparison) => `${title}: ${comparison}`,
  comparison: (id, against) => `Vergleich ${id}: Differenzen gegenüber ${against}.`,
  judged:
    'Jedes Intervall steht für sich. Ob eine Differenz überzufällig ist, wird über alle Fragen der Studie beurteilt (Benjamini und Hochberg, 5 %).',
  forest: (outcome, against) => `Differenzen von ${outcome} gegenüber ${against}, mit 95-%-Intervallen`,
  forestColours: 'Blaue Balken sind überzufällig, graue liegen im Rahmen des Zufalls oder sind nicht beurteilbar.',
  unmoved: (value, comparison) =>
    `${outcomes(value)} ${value === 1 ? 'hat' : 'haben'} keine überzufällige Differenz${comparison === null ? '' : ` in ${comparison}`}`,
  strongest: 'Von jeder Zielgröße ist die stärkste Differenz gezeigt.',
  segments: 'Die stärksten Differenzen innerhalb von Segmenten; die Arbeitsmappe (whatif report --xlsx) enthält alle.',
  curve: {
    whiskers: (against) =>
      `Die Balken sind 95-%-Intervalle der Differenz gegenüber ${against}, um den Wert gelegt. Blaue Punkte unterscheiden sich überzufällig davon, graue nicht, oder es ist nicht beurteilbar.`,
    days: (against) => `Die Achse zählt Tage ab ${against}.`,
    lowerEnd: 'Unteres Ende für alle Punkte zugleich',
    upperEnd: 'Oberes Ende für alle Punkte zugleich',
    further: (value) =>
      `Die Arbeitsmappe (whatif report --xlsx) enthält ${plural(value, 'weitere Zielgröße', 'weitere Zielgrößen')}.`,
  },
  distribution: {
    title: (column, scenario, against) => `${column} mit ${scenario} und in ${against}`,
    shares: ({ column, where, inRows, sides }) =>
      `Anteile der Ausprägungen von ${column}, ${inRows ? 'in den erzeugten Zeilen' : 'wie die Ausgangsdaten sagen, auf jede Seite umgewichtet'}${where === null ? '' : `, nur Zeilen mit ${where}`}: ${sides}.`,
    steps: (column, where, isDate) =>
      `Verteilung von ${column} in den erzeugten Zeilen${where === null ? '' : ` mit ${where}`}: Die Höhe einer Stufe ist der Anteil der Zeilen je Einheit${isDate ? ', einem Tag, und die Achse zählt Tage seit 1970' : ''}, sodass ihre Fläche der Anteil der Zeilen ist.`,
    beyondSteps: (name, below, above) =>
      `${name}: ${below} der Zeilen liegen unter der ersten Stufe, ${above} über der letzten.`,
    label: (column) => `Verteilung von ${column}`,
    perUnit: 'Anteil der Zeilen je Einheit',
    days: (column) => `${column}, Tage seit 1970`,
    inRows: 'In den erzeugten Zeilen',
  },
  verdict: (comparison, against, verdict) => `${comparison}, gegenüber ${against}: ${verdict}.`,
  moreComparisons: (left) => `Und ${plural(left, 'weiterer Vergleich', 'weitere Vergleiche')}.`,
  ended: (at) => `Der Lauf wurde beendet: ${at}.`,
  figuresOf: (digest) => `Die Zahlen sind die des Manifests mit dem Hashwert ${digest}.`,
  gates: 'Prüfungen sind die Bedingungen, die die Studie an ihre Ergebnisse stellt.',
  gatesFailed: (failed, gates) => `${count(failed)} von ${plural(gates, 'Prüfung', 'Prüfungen')} nicht bestanden`,
  mix: 'die Mischung der Daten',
  scenarios:
    'Anteile, Bereiche und Mittelwerte, die ein Szenario vorgibt; die Arbeitsmappe (whatif report --xlsx) enthält, was seine Zeilen haben.',
  scenariosTitle: (ready, all) => `${count(ready)} von ${scenarios(all)} ${hatOrHaben(ready)} die verlangten Zeilen`,
  method: 'Wie die Antworten entstehen, und wie sicher sie sind',
  methodNote: 'Das ganze Verfahren steht in docs/answers.md von whatif.',
  provenance: 'Was diese Zahlen ergab, zum Zitieren und zum Wiederholen',
  provenanceNote: 'whatif verify prüft die Dateien eines Laufs anhand ihres Verzeichnisses.',
  heads: { of: 'Von', what: 'Was' },
}
