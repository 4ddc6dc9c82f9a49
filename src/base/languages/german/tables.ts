import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, plural } from './numbers.ts'

const gates = (value: number): string => plural(value, 'Prüfung', 'Prüfungen')

export const TABLES: Words['tables'] = {
  heads: {
    scenario: 'Szenario',
    column: 'Spalte',
    level: 'Ausprägung',
    target: 'Vorgabe',
    achieved: 'Erreicht',
    difference: 'Differenz',
    noise: 'Zufallsrauschen der Erzeugung',
    rows: 'Zeilen',
    rowsOutside: 'Zeilen außerhalb',
    shareOutside: 'Anteil außerhalb',
    distance: 'Abstand',
    values: 'Werte',
    rule: 'Regel',
    rowsAbout: 'Zeilen, für die sie gilt',
    rowsBreaking: 'Zeilen, die sie verletzen',
  },
  shares: 'Anteile',
  sharesLeft: 'Anteile, die das Modell bestimmt',
  ranges: 'Bereiche',
  means: 'Mittelwerte',
  rules: 'Regeln',
  further: {
    targets: 'weitere Vorgaben stehen im Manifest',
    shares: 'weitere Anteile stehen im Manifest',
    ranges: 'weitere Bereiche stehen im Manifest',
    means: 'weitere Mittelwerte stehen im Manifest',
    rules: 'weitere Regeln stehen im Manifest',
  },
  noValue: '(kein Wert)',
  noise:
    'Das Zufallsrauschen der Erzeugung ist 2·√(p(1−p)/n): die Schwankung des Anteils in n Zeilen durch bloßen Zufall, wenn die Zeilen unabhängig gezogen werden. Es zeigt, wie nahe ein Ergebnis seiner Vorgabe kommt, und sagt nichts über die Grundgesamtheit. Ein Dienst, der Vorgaben auf die nächste Zeile genau erfüllt, wie es der eingebaute tut, bleibt weit darunter.',
  gates: {
    title: 'Prüfungen',
    verdict: (passed, all) => {
      if (passed < all) return `${count(passed)} von ${gates(all)} bestanden.`
      return all === 1
        ? 'Die Prüfung ist bestanden.'
        : `${all === 2 ? 'Beide' : `Alle ${count(all)}`} Prüfungen sind bestanden.`
    },
    passed: 'Bestandene Prüfungen',
    notPassed: 'Nicht bestandene Prüfungen',
    heads: {
      of: 'Von',
      gate: 'Prüfung',
      level: 'Stufe',
      expected: 'Erwartet',
      found: 'Gefunden',
      verdict: 'Urteil',
    },
    owners: { scenario: '', comparison: 'Vergleich ', backtest: 'Rückblick ' },
    more: 'weitere stehen in manifest.json',
    nothing: 'nichts zu prüfen',
    otherwise: 'das Manifest sagt etwas anderes',
    notSelected: 'in diesem Lauf nicht gewählt',
    ok: 'bestanden',
    failed: 'nicht bestanden',
    warning: 'Warnung',
  },
  replicates: {
    none: (scenario) => said`${scenario}: Keine Wiederholung hat ein Ergebnis.`,
    together: (scenario, known, all, names) => {
      const of = plural(all, 'Wiederholung', 'Wiederholungen')
      return said`${scenario} fasst ${known === all ? of : `${known} von ${of}`} zusammen: ${names}.`
    },
    spread: (figures) =>
      said` Von Wiederholung zu Wiederholung schwankt die Differenz um (Standardabweichung): ${figures}. Das misst das Zufallsrauschen der Erzeugung, nicht die Stichprobenziehung der Ausgangsdaten.`,
  },
  distances: {
    title: 'Wie nahe die Zeilen den Antworten sind',
    atMost: (points) => `höchstens ${points} Prozentpunkte entfernt; `,
    far: (far, all) => `${count(far)} von ${differences(all)} jenseits von zwei Standardfehlern`,
    rowsOf: (comparison) => said`Zeilen des Vergleichs ${comparison}`,
    heads: {
      differences: 'Differenzen',
      largest: 'Größter Abstand, Prozentpunkte',
      rms: 'Quadratisches Mittel, Standardfehler',
      beyond: 'Jenseits von zwei Standardfehlern',
    },
    note: 'Wie nahe die Differenzen in den erzeugten Zeilen den Antworten sind. Der Abstand ist der der Datei, nicht der der Antworten. Das Zufallsrauschen der Erzeugung ist darin enthalten, sodass er in Dateien mit wenigen Zeilen größer ist. Segmente der Datei sind weniger nahe.',
  },
  leading: {
    of: (comparison, against) => said`${comparison} gegenüber ${against}`,
    title: (comparison) => said`Was ${comparison} sagt`,
  },
}
