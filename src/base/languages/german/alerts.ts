import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, hatOrHaben, plural, scenarios } from './numbers.ts'

const werden = (value: number): string => (value === 1 ? 'wurde' : 'wurden')

export const ALERTS: Words['alerts'] = {
  trial: (text) => `Dies ist ein ${text}.`,
  incomplete: 'Der Lauf ist nicht abgeschlossen',
  resultsMayChange: (status) => ` (${status}). Seine Ergebnisse können sich ändern.`,
  ended: {
    failed: (of) => `${scenarios(of)} ${of === 1 ? 'ist' : 'sind'} fehlgeschlagen:`,
    refused: (of) => `${scenarios(of)} ${werden(of)} abgelehnt:`,
    interrupted: (of) => `${scenarios(of)} ${werden(of)} abgebrochen:`,
    running: (of) => `${scenarios(of)} ${of === 1 ? 'läuft' : 'laufen'} noch:`,
    not_started: (of) => `${scenarios(of)} ${werden(of)} nicht erzeugt:`,
  },
  fewerRows: (of) => `${scenarios(of)} ${hatOrHaben(of)} weniger Zeilen als verlangt:`,
  moreMixes: (left) =>
    `Das Manifest enthält ${plural(left, 'weitere nächste Mischung', 'weitere nächste Mischungen')}.`,
  rulesBroken: 'Regeln sind verletzt',
  rulesBrokenIn: (strong, scenario, what) => said`${strong} in ${scenario}: ${what}.`,
  gateFailed: 'Prüfung nicht bestanden:',
  gateFailedInTrial: 'Prüfung nicht bestanden, was hier nicht zählt:',
  gate: (head, of, gate, expected, found) => said`${head} ${of}, ${gate}: erwartet ${expected}, gefunden ${found}.`,
  warnings: (gates) => `${plural(gates, 'Prüfung', 'Prüfungen')} der Stufe Warnung nicht bestanden.`,
  notInData: (columns) => `Nicht verglichen, weil es ${columns === 1 ? 'das' : 'die'} in den Daten nicht gibt:`,
  thinEvidence: 'Schwache Evidenz:',
  thinSupport: (head, names) => said`${head} Nur wenige Zeilen der Ausgangsdaten stützen ${names}.`,
  list: (head, what) => said`${head} ${what}.`,
  more: {
    reasons: (left) => `${plural(left, 'weiterer Grund', 'weitere Gründe')}: siehe die Tabellen unten.`,
    scenarios: (left) => `${plural(left, 'weiteres Szenario', 'weitere Szenarien')}: siehe die Tabellen unten.`,
    gates: (left) =>
      `${plural(left, 'weitere nicht bestandene Prüfung', 'weitere nicht bestandene Prüfungen')}: siehe die Tabellen unten.`,
  },
  ofRows: (counted, requested) => `(${count(counted)} von ${count(requested)})`,
}
