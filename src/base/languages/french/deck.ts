import type { Words } from '../english/english.ts'
import { a, count, plural, scenarios } from './numbers.ts'

export const DECK: Words['deck'] = {
  tag: 'fr-FR',
  part: (part, parts) => ` (${part} sur ${parts})`,
  inFull: 'En entier :',
  answerSides: 'Référence → scénario',
  low: '95 % de',
  high: '95 % à',
  whiskerBelow: 'Barre vers le bas',
  whiskerAbove: 'Barre vers le haut',
  titleOf: (title, comparison) => `${title} : ${comparison}`,
  comparison: (id, against) => `Comparaison ${id} : différences par rapport à ${against}.`,
  judged:
    'Chaque intervalle vaut pour lui seul. On juge si une différence est au-delà du hasard sur toutes les questions de l’étude (Benjamini et Hochberg, 5 %).',
  forest: (outcome, against) => `Différences de ${outcome} par rapport à ${against}, avec des intervalles à 95 %`,
  forestColours:
    'Les barres bleues sont au-delà du hasard, les grises sont compatibles avec lui, ou on ne le sait pas.',
  unmoved: (value, comparison) =>
    `${plural(value, 'indicateur', 'indicateurs')} sans différence au-delà du hasard${comparison === null ? '' : ` dans ${comparison}`}`,
  strongest: 'De chaque indicateur, la plus forte différence est montrée.',
  segments:
    'Les plus fortes différences à l’intérieur des segments ; le classeur (whatif report --xlsx) les contient toutes.',
  curve: {
    whiskers: (against) =>
      `Les barres sont des intervalles à 95 % de la différence par rapport à ${against}, placés autour de sa valeur. Les points bleus en diffèrent au-delà du hasard, les gris non, ou on ne le sait pas.`,
    days: (against) => `L’axe compte les jours depuis ${against}.`,
    lowerEnd: 'Borne inférieure pour tous les points à la fois',
    upperEnd: 'Borne supérieure pour tous les points à la fois',
    further: (value) =>
      `Le classeur (whatif report --xlsx) contient ${plural(value, 'autre indicateur', 'autres indicateurs')}.`,
  },
  distribution: {
    title: (column, scenario, against) => `${column} avec ${scenario} et dans ${against}`,
    shares: ({ column, where, inRows, sides }) =>
      `Parts des modalités de ${column}, ${inRows ? 'dans les lignes générées' : 'd’après les données d’origine, repondérées selon chaque côté'}${where === null ? '' : `, seulement les lignes où ${where}`} : ${sides}.`,
    steps: (column, where, isDate) =>
      `Distribution de ${column} dans les lignes générées${where === null ? '' : ` où ${where}`} : la hauteur d’une marche est la part des lignes par unité${isDate ? ', un jour, et l’axe compte les jours depuis 1970' : ''}, si bien que son aire est la part des lignes.`,
    beyondSteps: (name, below, above) =>
      `${name} : ${below} des lignes sont au-dessous de la première marche, ${above} au-dessus de la dernière.`,
    label: (column) => `Distribution de ${column}`,
    perUnit: 'part des lignes par unité',
    days: (column) => `${column}, jours depuis 1970`,
    inRows: 'Dans les lignes générées',
  },
  verdict: (comparison, against, verdict) => `${comparison}, par rapport à ${against} : ${verdict}.`,
  moreComparisons: (left) => `Et ${plural(left, 'autre comparaison', 'autres comparaisons')}.`,
  ended: (at) => `L’exécution s’est terminée : ${at}.`,
  figuresOf: (digest) => `Les chiffres sont ceux du manifeste dont l’empreinte est ${digest}.`,
  gates: 'Les contrôles sont les conditions que l’étude pose à ses résultats.',
  gatesFailed: (failed, gates) =>
    `${count(failed)} sur ${plural(gates, 'contrôle', 'contrôles')} ${failed < 2 ? 'échoué' : 'échoués'}`,
  mix: 'le mélange des données',
  scenarios:
    'Parts, plages et moyennes que demande un scénario ; le classeur (whatif report --xlsx) dit ce qu’ont ses lignes.',
  scenariosTitle: (ready, all) => `${count(ready)} sur ${scenarios(all)} ${a(ready)} les lignes demandées`,
  method: 'Comment les réponses sont faites, et à quel point elles sont sûres',
  methodNote: 'Toute la méthode est dans docs/answers.md de whatif.',
  provenance: 'D’où viennent ces chiffres, pour citer et pour répéter',
  provenanceNote: 'whatif verify confronte les fichiers d’une exécution à leur registre.',
  heads: { of: 'Sur', what: 'Quoi' },
}
