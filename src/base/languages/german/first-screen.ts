import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, hatOrHaben, istOrSind, rows, scenarios } from './numbers.ts'

export const FIRST_SCREEN: Words['firstScreen'] = {
  title: 'Antwort',
  delivered: (ready, all, delivered) => {
    const which =
      all === 1 && ready === 1
        ? 'Das Szenario hat'
        : ready === all
          ? `${all === 2 ? 'Beide' : `Alle ${count(all)}`} Szenarien haben`
          : `${count(ready)} von ${scenarios(all)} ${hatOrHaben(ready)}`
    return `${which} die verlangten Zeilen: insgesamt ${rows(delivered)}.`
  },
  noneWithInterval: (total, against) => {
    const from = against === null ? '' : said`${' gegenüber '}${against}`
    return total === 1
      ? said` Die Differenz${from} hat kein Intervall, das für die Grundgesamtheit gilt.`
      : said` Von ${differences(total)}${from} hat keine ein Intervall, das für die Grundgesamtheit gilt.`
  },
  oneDifference: (isBeyond, against) =>
    said` Die Differenz${against === null ? '' : said`${' gegenüber '}${against}`} ${isBeyond ? 'ist überzufällig' : 'liegt im Rahmen des Zufalls'}.`,
  differences: ({ beyond, total, unknown, against }) => {
    const which =
      beyond === total ? (total === 2 ? 'Beide' : `Alle ${count(total)}`) : `${count(beyond)} von ${count(total)}`
    const others = unknown === 0 ? '' : ` Bei ${count(unknown)} davon lässt sich Zufall nicht beurteilen.`
    return said` ${which} Differenzen${against === null ? '' : said`${' gegenüber '}${against}`} ${istOrSind(beyond)} überzufällig.${others}`
  },
  pooled: (text) => ` ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`,
  pooledIn: (comparison, text) => ` In ${comparison}: ${text}.`,
  sentence: (of) => said` ${of}.`,
  from: (against) => said`gegenüber ${against}`,
  fromInRows: (against, where, seedRows) =>
    said`gegenüber ${against}, in Zeilen mit ${where}${seedRows === null ? '' : ` (${seedRows})`}`,
  captionFrom: (against) => `Differenzen gegenüber ${against} mit 95-%-Intervallen, die größten zuerst.`,
  captionFromAll: 'Differenzen gegenüber der jeweiligen Basis mit 95-%-Intervallen, die größten zuerst.',
  captionJudged:
    ' Jedes Intervall steht für sich; ob eine Differenz überzufällig ist, wird über alle Fragen der Studie gemeinsam beurteilt.',
  captionChance: (chance, known) =>
    ` Wäre keine Differenz echt, wären etwa ${count(chance)} von ${count(known)} überzufällig.`,
  captionShown: (shown, total, kind) => ` Gezeigt sind ${count(shown)} von ${count(total)}: ${kind}.`,
  kinds: {
    unknown: 'die stärksten; ob Zufall, lässt sich nicht beurteilen',
    noneBeyond: 'die stärksten; keine ist überzufällig',
    strongestBeyond: 'die stärksten der überzufälligen',
    beyond: 'die überzufälligen',
  },
  withinOrNotKnown: 'im Rahmen des Zufalls oder nicht beurteilbar',
  thinSupport: 'schwach gestützt',
  noiseOnly: 'nur Zufallsrauschen der Erzeugung',
  or: ' oder ',
  differencesTable: 'Differenzen',
  inPoints: ', Prozentpunkte',
  shares: 'Anteile: Differenz in Prozentpunkten',
  numbers: (outcome, inDays) => `${outcome}: Differenz${inDays ? ' in Tagen' : ''}`,
  less: 'weniger',
  more: 'mehr',
  sides: 'Basis → Szenario',
  difference: 'Differenz',
  shortDifference: 'Diff.',
  tip: (scenario, parts) => `${scenario}. ${parts}`,
  intervalOf: (interval) => `95-%-Intervall ${interval}`,
  generated: 'Was erzeugt wurde',
  conditions: 'Bedingungen',
  rows: 'Zeilen',
  askedFor: 'Verlangt',
  moreScenarios: 'weitere Szenarien stehen unter Herkunft',
  none: 'keine',
  moreConditions: (left) => `; ${left} weitere`,
}
