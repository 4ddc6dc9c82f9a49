import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { a, count, est, plural, scenarios } from './numbers.ts'

const s = (value: number): string => (value < 2 ? '' : 's')

export const ALERTS: Words['alerts'] = {
  trial: (text) => `Ceci est un ${text}.`,
  incomplete: 'L’exécution n’est pas terminée',
  resultsMayChange: (status) => ` (${status}). Ses résultats peuvent changer.`,
  ended: {
    failed: (of) => `${scenarios(of)} ${a(of)} échoué :`,
    refused: (of) => `${scenarios(of)} ${a(of)} été refusé${s(of)} :`,
    interrupted: (of) => `${scenarios(of)} ${a(of)} été interrompu${s(of)} :`,
    running: (of) => `${scenarios(of)} ${est(of)} encore en cours :`,
    not_started: (of) => `${scenarios(of)} ${of < 2 ? 'n’a' : 'n’ont'} pas été généré${s(of)} :`,
  },
  fewerRows: (of) => `${scenarios(of)} ${a(of)} moins de lignes que demandé :`,
  moreMixes: (left) => `Le manifeste contient ${plural(left, 'autre mélange proche', 'autres mélanges proches')}.`,
  rulesBroken: 'Des règles sont enfreintes',
  rulesBrokenIn: (strong, scenario, what) => said`${strong} dans ${scenario} : ${what}.`,
  gateFailed: 'Contrôle non satisfait :',
  gateFailedInTrial: 'Contrôle non satisfait, ce qui ne compte pas ici :',
  gate: (head, of, gate, expected, found) => said`${head} ${of}, ${gate} : attendu ${expected}, trouvé ${found}.`,
  warnings: (gates) =>
    `${plural(gates, 'contrôle de niveau avertissement n’est pas satisfait', 'contrôles de niveau avertissement ne sont pas satisfaits')}.`,
  notInData: () => 'Non comparé, car absent des données :',
  thinEvidence: 'Appui faible :',
  thinSupport: (head, names) => said`${head} peu de lignes des données d’origine soutiennent ${names}.`,
  list: (head, what) => said`${head} ${what}.`,
  more: {
    reasons: (left) => `${plural(left, 'autre raison', 'autres raisons')} : voir les tableaux ci-dessous.`,
    scenarios: (left) => `${plural(left, 'autre scénario', 'autres scénarios')} : voir les tableaux ci-dessous.`,
    gates: (left) =>
      `${plural(left, 'autre contrôle non satisfait', 'autres contrôles non satisfaits')} : voir les tableaux ci-dessous.`,
  },
  ofRows: (counted, requested) => `(${count(counted)} sur ${count(requested)})`,
}
