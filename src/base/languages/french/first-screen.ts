import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { a, count, differences, est, rows, scenarios } from './numbers.ts'

export const FIRST_SCREEN: Words['firstScreen'] = {
  title: 'Réponse',
  delivered: (ready, all, delivered) => {
    const which =
      all === 1 && ready === 1
        ? 'Le scénario a'
        : ready === all
          ? `Les ${count(all)} scénarios ont`
          : `${count(ready)} sur ${scenarios(all)} ${a(ready)}`
    return `${which} les lignes demandées : ${rows(delivered)} au total.`
  },
  noneWithInterval: (total, against) => {
    const from = against === null ? '' : said`${' par rapport à '}${against}`
    return total === 1
      ? said` La différence${from} n’a pas d’intervalle valable pour la population.`
      : said` Aucune des ${differences(total)}${from} n’a d’intervalle valable pour la population.`
  },
  oneDifference: (isBeyond, against) =>
    said` La différence${against === null ? '' : said`${' par rapport à '}${against}`} est ${isBeyond ? 'au-delà du hasard' : 'compatible avec le hasard'}.`,
  differences: ({ beyond, total, unknown, against }) => {
    const from = against === null ? '' : said`${' par rapport à '}${against}`
    const others = unknown === 0 ? '' : ` Pour ${count(unknown)} d’entre elles, la part du hasard est inconnue.`
    return beyond === total
      ? said` Les ${count(total)} différences${from} sont toutes au-delà du hasard.${others}`
      : beyond === 0
        ? said` Aucune des ${count(total)} différences${from} n’est au-delà du hasard.${others}`
        : said` ${count(beyond)} des ${count(total)} différences${from} ${est(beyond)} au-delà du hasard.${others}`
  },
  pooled: (text) => ` ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`,
  pooledIn: (comparison, text) => ` Dans ${comparison}, ${text}.`,
  sentence: (of) => said` ${of}.`,
  from: (against) => said`par rapport à ${against}`,
  fromInRows: (against, where, seedRows) =>
    said`par rapport à ${against}, dans les lignes où ${where}${seedRows === null ? '' : ` (${seedRows})`}`,
  captionFrom: (against) =>
    `Différences par rapport à ${against} avec intervalles à 95 %, les plus grandes en premier.`,
  captionFromAll: 'Différences par rapport à leur référence avec intervalles à 95 %, les plus grandes en premier.',
  captionJudged:
    ' Chaque intervalle vaut pour lui-même ; qu’une différence soit au-delà du hasard est jugé sur l’ensemble des questions de l’étude.',
  captionChance: (chance, known) =>
    ` Si aucune différence n’était réelle, environ ${count(chance)} sur ${count(known)} seraient au-delà du hasard.`,
  captionShown: (shown, total, kind) => ` Sont montrées ${count(shown)} sur ${count(total)} : ${kind}.`,
  kinds: {
    unknown: 'les plus fortes ; la part du hasard est inconnue',
    noneBeyond: 'les plus fortes ; aucune n’est au-delà du hasard',
    strongestBeyond: 'les plus fortes de celles au-delà du hasard',
    beyond: 'celles au-delà du hasard',
  },
  withinOrNotKnown: 'compatible avec le hasard ou inconnu',
  thinSupport: 'appui faible',
  noiseOnly: 'seul bruit de génération',
  or: ', ou ',
  differencesTable: 'Différences',
  inPoints: ', points',
  shares: 'Parts : différence en points',
  numbers: (outcome, inDays) =>
    `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)} : différence${inDays ? ' en jours' : ''}`,
  less: 'moins',
  more: 'plus',
  sides: 'référence → scénario',
  difference: 'différence',
  shortDifference: 'diff.',
  tip: (scenario, parts) => `${scenario}. ${parts}`,
  intervalOf: (interval) => `intervalle à 95 % de ${interval}`,
  generated: 'Ce qui a été généré',
  conditions: 'Conditions',
  rows: 'Lignes',
  askedFor: 'Demandé',
  moreScenarios: 'scénarios de plus figurent sous Provenance',
  none: 'aucune',
  moreConditions: (left) => ` ; ${left} de plus`,
}
