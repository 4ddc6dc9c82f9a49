import type { Words } from '../english/english.ts'

export const WORKBOOK: Words['workbook'] = {
  sheets: { targets: 'Vorgaben', backtest: (id) => `Rückblick ${id}` },
  about: {
    by: (column) => `, nach ${column}`,
    differences: 'Alle Differenzen mit ihren 95-%-Intervallen',
    targets: 'Was jedes Szenario vorgibt, und was seine Zeilen haben',
    provenance: 'Daten, Modelle und Hashwerte, zum Zitieren und zum Wiederholen',
  },
  ended: (at) => `Lauf beendet ${at}`,
  notEnded: 'Der Lauf ist nicht beendet.',
  howToRead: 'Wie man es liest',
  letters:
    'Ein Buchstabe neben einer Zahl: Die Zahl ist höher als die der Spalte mit diesem Buchstaben, und zwar überzufällig. Ob eine Differenz überzufällig ist, wird anhand der gepaarten Differenzen der Vergleiche beurteilt, unter allen Fragen der Studie (Benjamini und Hochberg, 5 %). Spalten, die kein Vergleich nebeneinanderstellt, haben keine Buchstaben voneinander.',
  bases:
    'Basis: die Zeilen der Ausgangsdaten, auf denen eine Zahl beruht. Effektive Basis: so viele gleich gewichtete Zeilen sagen ebenso viel. Wo sie leer sind, nennt der Dienst sie nicht. Die Zahlen zeigen die Stellen, die ihr Standardfehler trägt; die Zellen enthalten alle.',
  heads: {
    sheet: 'Blatt',
    has: 'Was es enthält',
    comparison: 'Vergleich',
    segment: 'Segment',
    question: 'Frage',
    answer: 'Antwort',
    group: 'Gruppe',
    unit: 'Einheit',
    low: '95 % von',
    high: '95 % bis',
    errorOf: (what) => `${what}, Fehler`,
  },
  allRows: 'Alle Zeilen',
  rowsWith: (where) => `Zeilen: ${where}`,
  all: 'Alle',
  base: 'Basis: Ausgangszeilen',
  effectiveBase: 'Effektive Basis',
  rangeOf: (column) => `Bereich von ${column}`,
  terms: {
    study: 'Studie',
    name: 'Name',
    description: 'Beschreibung',
    id: 'Kennung',
    trial: 'Probelauf, höchstens so viele Zeilen',
    cleanRows: 'Zeilen nach der Bereinigung',
    cleanColumns: 'Spalten nach der Bereinigung',
  },
}
