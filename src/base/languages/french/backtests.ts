import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, est, plural, rows } from './numbers.ts'

export const BACKTESTS: Words['backtests'] = {
  title: 'A-t-on déjà vu juste ?',
  done: (by, on) => said`Chaque groupe de ${by} est prédit à partir des autres, repondérés selon ses ${on}.`,
  madeBy: (tool) => said`Produit par whatif ${tool}.`,
  unknown: (why) => `rien n’est connu : ${why}`,
  nothing: 'rien n’a pu être prédit',
  nearer: (nearer, predictions) =>
    `la réponse repondérée est plus proche que la réponse non pondérée pour ${count(nearer)} sur ${plural(predictions, 'chiffre', 'chiffres')}`,
  held: (held, told, misses) =>
    ` ; les intervalles à 95 % contiennent la réponse réelle dans ${count(held)} cas sur ${count(told)} ${
      misses === 0
        ? '(par hasard, un sur vingt ne la contient pas)'
        : `(par hasard, environ ${count(misses)} ne la ${misses === 1 ? 'contient' : 'contiennent'} pas)`
    }`,
  relative: (error, isBetter) =>
    `son erreur est de ${error} de celle obtenue sans rien faire${isBetter ? '' : ' : repondérer n’a pas aidé'}`,
  times: (ratio) => `${count(ratio)} fois`,
  byModels: ({ rows: of, nearer, predictions, held, error }) =>
    [
      `par des modèles entraînés sans le groupe, à partir de ${rows(of)} chacun : plus proche que la réponse non pondérée pour ${count(nearer)} sur ${plural(predictions, 'chiffre', 'chiffres')}`,
      ...(held === null
        ? []
        : [`dans ${count(held[0])} cas sur ${count(held[1])} à l’intérieur de l’intervalle et du bruit de génération`]),
      ...(error === null ? [] : [`avec ${error} de l’erreur obtenue sans rien faire`]),
    ].join(' ; '),
  noneBeyond: 'aucune erreur n’est au-delà du hasard, jugées ensemble',
  someBeyond: (beyond, told) =>
    `${count(beyond)} sur ${plural(told, 'erreur', 'erreurs')} ${est(beyond)} au-delà du hasard, jugées ensemble : les groupes diffèrent par quelque chose que ces colonnes ne disent pas`,
  note: 'Une erreur est la prédiction moins ce que le groupe a répondu ; « non pondéré » est l’erreur des autres tels qu’ils sont. Son intervalle tient compte du hasard des deux échantillons, chacun à 95 %. Les erreurs au-delà du hasard (*) sont jugées ensemble. Un test rétrospectif ne dit rien des causes, des colonnes sur lesquelles personne n’a été interrogé, ni d’un groupe qui ne ressemble à aucun autre.',
  notPredicted: (group, why) => said`${group} n’est pas prédit : ${why}.`,
  why: {
    no_match:
      'les autres ne peuvent pas être repondérés à sa composition, par exemple parce qu’aucun n’a l’une de ses modalités',
    too_few_rows: 'trop peu de ses lignes, ou de celles des autres',
  },
  heads: {
    figure: 'Chiffre',
    predicted: 'Prédit',
    actual: 'Réel',
    error: 'Erreur',
    interval: 'Intervalle à 95 %',
    unweighted: 'Non pondéré',
    byModel: 'Modèle',
  },
  errors: 'Erreurs',
  rowsLeft: 'lignes sont omises ici',
  smallerErrors: (figures) =>
    `${plural(figures, 'chiffre à erreur plus petite figure', 'chiffres à erreurs plus petites figurent')} seulement dans le tableau.`,
  firstGroups: (groups) => `Les images montrent les ${groups} premiers groupes.`,
  errorMark: 'erreur, repondérée, avec son intervalle à 95 %',
  nothingMark: 'erreur sans rien faire',
  picture: (figure) => `Erreurs de ${figure} par groupe`,
  tip: (of) =>
    `${of.group}. ${of.figure} : prédit ${of.predicted}, réel ${of.actual}, erreur ${of.error}, intervalle à 95 % de ${of.interval}, non pondéré ${of.unweighted}${of.isBeyond ? ', au-delà du hasard' : ''}`,
}
