import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { a, count, differences, est, plural, rows, scenarios } from './numbers.ts'

/** The noun phrase of a figure: quantiles are masculine. */
const withArticle = (figure: string): string => (figure.startsWith('quantile') ? `le ${figure}` : `la ${figure}`)

export const ANSWERS: Words['answers'] = {
  heads: {
    scenario: 'Scénario',
    outcome: 'Indicateur',
    baseline: 'Référence',
    difference: 'Différence',
    interval: 'Intervalle à 95 %',
    inRows: 'Dans les lignes',
    beyond: 'Au-delà du hasard',
    notes: 'Remarques',
    marks: 'Remarques',
    from: 'De',
    to: 'À',
  },
  marks: {
    'asked for': 'imposé',
    thin: 'appui faible',
    'too few seed rows': 'trop peu de lignes d’origine',
    'another training': 'autre apprentissage',
  },
  generationAlone: 'intervalle du seul bruit de génération',
  withModel: (difference) => `avec l’aide du modèle ${difference} (plus proche en moyenne, mais atténué)`,
  bases: {
    seed: 'les données d’origine, repondérées selon les deux scénarios',
    effective_rows: 'une borne tirée des lignes effectives',
    generation: 'le seul bruit de génération',
  },
  noEstimates: {
    no_estimates_operation: 'le service n’estime pas de différences à partir des données d’origine',
    no_segment_estimates: 'le service n’estime pas de différences à l’intérieur des segments',
    no_where_estimates: 'le service n’estime pas de différences parmi les lignes de `where`',
    no_quantile_estimates:
      'le service ne donne pas de quantiles : il protège ses données d’origine ou ne les connaît pas',
    estimates_dataset_gone: 'le service n’a plus ce jeu de données',
    estimates_other_model: 'les deux côtés proviennent de modèles différents',
    estimates_refused: 'le service a refusé de les estimer',
    estimates_unreadable: 'la réponse du service n’a pas pu être lue',
    estimates_failed: 'le service n’a pas répondu ; la prochaine exécution redemandera',
    estimates_not_asked:
      'le service n’a pas été interrogé : l’exécution s’est terminée avant, ou les données n’ont pas ce qui est nommé',
  },
  restOn: (bases) => `les intervalles reposent sur : ${bases}`,
  noIntervals: (why) => `pas d’intervalles : ${why}`,
  noQuantileIntervals: (why) => `pas d’intervalles pour les quantiles : ${why}`,
  notes: [
    'La réponse est ce que disent les données d’origine : la différence entre leurs propres lignes, repondérées selon les deux scénarios. Son intervalle contient la différence dans la population avec un niveau de confiance de 95 %, si les données d’origine en sont un échantillon aléatoire. Ni l’une ni l’autre ne dépendent du nombre de lignes générées.',
    '« Dans les lignes » désigne la même différence dans les lignes générées. Elles suivent les réponses autant qu’elles le peuvent, et moins à l’intérieur des segments.',
    '« Appui faible » signale une réponse qui repose sur moins de 50 lignes des données d’origine, ou sur moins de 20 degrés de liberté (50 pour une moyenne). En dessous de 20 lignes, il n’y a pas d’intervalle. En dessous de 50 lignes, un chiffre obtenu avec l’aide du modèle figure à côté : la différence des données d’origine mélangée à celle des lignes. Il est en moyenne plus proche de la vérité, et atténué : trop petit.',
  ],
  shareOutcome: (column, level) => said`la part de ${column} ${level}`,
  numberOutcome: (figure, column) => said`${withArticle(figure)} de ${column}`,
  sentence: ({ scenario, outcome, rows: counted, falls, from, to, difference, interval }) =>
    said`Avec ${scenario}, ${outcome}${counted === null ? '' : said`${' dans les lignes où '}${counted}`} passe de ${from} à ${to} (${falls ? 'baisse' : 'hausse'}) : ${difference}${interval === '' ? '' : `, intervalle à 95 % de ${interval}`}`,
  countedIn: (where, seedRows) => `compté dans les lignes où ${where}${seedRows === null ? '' : ` (${seedRows})`}`,
  notCompared: { shares: '', means: ' moyenne', quantiles: ' quantiles', segments: ' segments', where: ' sous where' },
  notInData: (names) => `non comparé, car absent des données : ${names.join(', ')}`,
  brokenRules: (broken, rule, others) =>
    `${rows(broken)} ${broken < 2 ? 'enfreint' : 'enfreignent'} « ${rule} »${others === 0 ? '' : `, et ${plural(others, 'autre règle est enfreinte', 'autres règles sont enfreintes')}`}`,
  trial: (most) =>
    `essai limité à ${rows(most)} par scénario : les chiffres sont plus grossiers que ceux de l’étude, et les contrôles ne comptent pas`,
  nearestConditions: 'Les conditions les plus proches qui donnent toutes les lignes :',
  nearestMix: (points) => `Le mélange le plus proche qui donne toutes les lignes déplace les parts de ${points} :`,
  nothingToEvaluate: 'rien à évaluer',
  gateInterval: (percent, interval) =>
    percent === null ? `intervalle de ${interval}` : `intervalle à ${percent} de ${interval}`,
  noInterval: {
    too_few_rows: 'trop peu de lignes d’origine pour un intervalle',
    generation_only: 'pas d’intervalle : seul le bruit de génération est connu',
    no_standard_error: 'pas d’intervalle : un côté a moins de deux valeurs',
    other: 'pas d’intervalle',
  },
  verdicts: {
    none: 'aucune différence',
    noneAsMissing: 'aucune différence, car des résultats manquent',
    tooFew: (all) => `${differences(all)} ; trop peu de lignes d’origine pour un intervalle`,
    unknown: (all) => `${differences(all)} ; la part du hasard est inconnue`,
    oneWithin: 'la différence est compatible avec le hasard',
    oneBeyond: 'la différence est au-delà du hasard',
    noneBeyond: (all) => `aucune des ${count(all)} différences n’est au-delà du hasard`,
    someBeyond: (beyond, all) => `${count(beyond)} des ${count(all)} différences ${est(beyond)} au-delà du hasard`,
    questions: (beyond, asked) =>
      asked === 1
        ? `la réponse à la question est ${beyond === 1 ? 'au-delà du hasard' : 'compatible avec le hasard'}`
        : beyond === 0
          ? `aucune des ${count(asked)} questions n’a de réponse au-delà du hasard`
          : `${count(beyond)} des ${count(asked)} questions ${a(beyond)} une réponse au-delà du hasard`,
    moreOfThem: (more) => `${count(more)} de plus`,
    moreBeyond: (more) => `${count(more)} de plus ${est(more)} au-delà du hasard`,
    moreWithin: (more) => `${count(more)} de plus ${est(more)} compatible${more < 2 ? '' : 's'} avec le hasard`,
    moreTooFew: (more) => `${count(more)} de plus ${a(more)} trop peu de lignes d’origine pour un intervalle`,
    moreUnknown: (more) => `pour ${count(more)} de plus, la part du hasard est inconnue`,
    oneInTwenty: 'environ 1 sur 20 des réponses au-delà du hasard relève malgré tout du hasard',
    ifNone: (chance, decided) =>
      `si aucune différence n’était réelle, environ ${count(chance)} sur ${count(decided)} seraient au-delà du hasard`,
    bySegments: (by, what) => `par ${by} : ${what}`,
    segmentsUnknown: (all) => `${differences(all)} à l’intérieur des segments ; la part du hasard est inconnue`,
    segments: (beyond, all, chance) =>
      `${count(beyond)} des ${count(all)} différences à l’intérieur des segments ${est(beyond)} au-delà du hasard${chance === null ? '' : `, et environ ${count(chance)} le seraient si aucune n’était réelle`}`,
    pooled: (pooled, fewest, most) => {
      const replicates = plural(most, 'répétition', 'répétitions')
      const span = fewest === most ? replicates : `${fewest} à ${replicates}`
      return pooled === 1 ? `1 scénario réunit ${span}` : `${count(pooled)} scénarios réunissent chacun ${span}`
    },
    withoutResult: (missing) => `${scenarios(missing)} sans résultat des deux côtés`,
  },
}
