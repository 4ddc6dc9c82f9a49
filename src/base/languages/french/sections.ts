import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { a, count, plural, rows, scenarios } from './numbers.ts'

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

export const SECTIONS: Words['sections'] = {
  responses: {
    title: 'Le long des axes',
    left: (outcomes) =>
      `Sont tracés les indicateurs aux plus fortes différences. Les tableaux des comparaisons contiennent ${plural(outcomes, 'autre indicateur', 'autres indicateurs')}.`,
    beyond: 'avec intervalle à 95 %, au-delà du hasard',
    bandEnds: 'bornes des intervalles valables pour tous les points à la fois',
    within: 'compatible avec le hasard ou inconnu',
    baseline: 'référence',
    caption: ({ axis, held, outcome, where, what, against, from }) =>
      `Le long de ${axis}${held === '' ? '' : `, pour ${held}`}, ${outcome}${where === null ? '' : ` dans les lignes où ${where}`} ${what} ; dans ${against} : ${from}`,
    bars: (against) => `. Les barres sont les intervalles à 95 % de la différence par rapport à ${against}.`,
    inDays: (against) => ` L’axe compte les jours à partir de ${against}.`,
    atBothEnds: (figure) => `vaut ${figure} aux deux extrémités`,
    mayBeChance: (from, first, to, last) =>
      `vaut ${from} pour ${first} et ${to} pour ${last}, ce que le hasard peut expliquer`,
    changes: (isRise, from, first, to, last) =>
      `${isRise ? 'monte' : 'descend'} de ${from} (${first}) à ${to} (${last})`,
    atEveryValue: (figure) => `vaut ${figure} pour chaque valeur`,
    between: (low, high) => `se situe entre ${low} et ${high}, ce que le hasard peut expliquer`,
    extremes: (lowest, low, highest, high) =>
      `est au plus bas pour ${lowest} (${low}) et au plus haut pour ${highest} (${high})`,
    heads: { axis: 'Axe', held: 'Fixé', value: 'Valeur', number: 'Nombre' },
    label: (outcome, axis, held) => `${outcome} le long de ${axis}${held === '' ? '' : `, ${held}`}`,
    point: (value, to, difference, against) => `${value} : ${to}, ${difference} par rapport à ${against}`,
    interval: (interval) => `intervalle à 95 % de la différence : ${interval}`,
  },
  axes: {
    share: (of) => `part de ${of}`,
    leastShare: (of) => `part minimale de ${of}`,
    greatestShare: (of) => `part maximale de ${of}`,
    smallest: (column) => `minimum de ${column}`,
    largest: (column) => `maximum de ${column}`,
    mean: (column) => `moyenne de ${column}`,
    leastMean: (column) => `moyenne minimale de ${column}`,
    greatestMean: (column) => `moyenne maximale de ${column}`,
  },
  distributions: {
    title: 'Distributions',
    left: (distributions) =>
      `Sont tracés les scénarios qui diffèrent le plus. ${plural(distributions, 'autre distribution répéterait', 'autres distributions répéteraient')} ce que contiennent les tableaux des comparaisons.`,
    baseline: 'référence',
    scenario: 'scénario',
    label: (column, against, scenario) => `${column} : ${against} et ${scenario}`,
    shares: (column, where, inRows, against) =>
      said`Parts des modalités de ${column}${where === null ? '' : said`${' avec '}${where}`}${inRows ? ' dans les lignes générées' : ''}, ${against} (barres vides) et chaque scénario (barres pleines).`,
    numbers: ({ column, where, against, hasBins, hasQuantiles, isCut }) =>
      said`Distribution de ${column} dans les lignes générées${where === null ? '' : said`${' avec '}${where}`}, ${against} et chaque scénario : ${hasBins ? said`les marches sont les parts des classes (${against} en aplat) ; ` : ''}${hasQuantiles ? 'les lignes vont du quantile à 5 % à celui à 95 %, les barres d’un quartile à l’autre' : 'les quantiles de plusieurs répétitions réunies ne sont pas connus'}.${isCut ? ' Un chiffre avec une flèche est la part au-delà de ce bord.' : ''}`,
    level: 'Modalité, %',
    figure: 'Chiffre',
    values: 'valeurs',
    deviation: 'écart-type',
    days: (figure) => `${figure} jours`,
    below: (edge) => `moins de ${edge}, %`,
    above: (edge) => `plus de ${edge}, %`,
    more: (left) => `${left} de plus : voir les chiffres`,
    tip: (name, median, quartiles, ends) =>
      `${name} : médiane ${median}, quartiles ${quartiles.join(' et ')}, quantiles à 5 % et 95 % ${ends.join(' et ')}`,
    median: (figure) => `médiane ${figure}`,
  },
  targets: {
    title: 'Cibles et résultats atteints',
    all: 'Toutes les cibles',
    shares: (met, shares, of) => {
      const given = of < 2 ? `que demande ${scenarios(of)}` : `que demandent ${scenarios(of)}`
      if (met < shares)
        return `${count(met)} sur ${plural(shares, 'part', 'parts')} ${given} sont atteintes à la ligne près. `
      return shares === 1
        ? `La seule part ${given} est atteinte à la ligne près. `
        : `Les ${count(shares)} parts ${given} sont atteintes à la ligne près. `
    },
    ranges: (outside, ranges) => {
      if (outside > 0)
        return `${count(outside)} sur ${plural(ranges, 'plage', 'plages')} ${a(outside)} des lignes en dehors.`
      return ranges === 1
        ? 'Chaque ligne se trouve dans la plage.'
        : `Chaque ligne se trouve dans ses plages (${count(ranges)} au total).`
    },
    means: (met, means) => {
      if (met === means)
        return means === 1 ? ' La moyenne est atteinte.' : ` Les ${count(means)} moyennes sont atteintes.`
      return ` ${count(met)} sur ${plural(means, 'moyenne', 'moyennes')} ${met < 2 ? 'est atteinte' : 'sont atteintes'} au millième près.`
    },
    rules: (broken, rules) => {
      if (broken > 0) return ` Des lignes enfreignent ${count(broken)} sur ${plural(rules, 'règle', 'règles')}.`
      return rules === 1
        ? ' Chaque ligne respecte la règle de l’étude.'
        : ` Chaque ligne respecte les ${count(rules)} règles de l’étude.`
    },
    withoutRows: (of) => ` ${plural(of, 'autre scénario n’a', 'autres scénarios n’ont')} pas de lignes à mesurer.`,
    caption: (share, scenario, achieved, target) =>
      `Le plus grand écart est celui de ${share} dans ${scenario} : ${achieved} au lieu de ${target}.`,
    drawn: (shown, all) => ` Sont tracés les ${shown} plus grands sur ${count(all)}.`,
    target: 'cible',
    achieved: 'atteint',
    chance: 'ce que fait le seul hasard avec autant de lignes',
    picture: 'Cibles et parts atteintes',
    tip: (share, target, achieved, of) => `${share} : cible ${target}, atteint ${achieved} de ${of} lignes`,
  },
  feasibility: {
    title: 'Les lignes et ce qui les appuie',
    all: 'Tous les scénarios',
    notReported: 'Le service n’indique pas combien de lignes d’origine appuient un scénario.',
    weakest: (isOne, of, scenario) =>
      said`Les lignes générées ne sont pas de nouvelles réponses. Les lignes effectives disent sur combien de lignes d’origine un scénario repose : ${isOne ? 'il y en a' : 'le minimum est'} ${of}, dans ${scenario}.`,
    tooWide: (group) =>
      said`${group} a trop de valeurs sur les deux axes pour une carte ; ses chiffres figurent dans le tableau.`,
    caption: (full, all, group) =>
      `${full === all ? `Les ${scenarios(all)}` : `${count(full)} sur ${scenarios(all)}`} de ${group} ${a(full)} toutes les lignes demandées ; « orig. » est le nombre de lignes effectives d’origine, et une couleur plus soutenue en signifie davantage.`,
    replicates: ' Parmi les répétitions d’un scénario, la plus faible est tracée.',
    drawn: (shown, all) => ` Sont tracées ${shown} cartes sur ${all}.`,
    scenariosOf: (group) => `Scénarios de ${group}`,
    heads: {
      askedFor: 'Demandé',
      delivered: 'Livré',
      seedRows: 'Lignes d’origine',
      tilt: 'Plus forte inclinaison',
      inRange: 'Dans la plage',
      standardErrors: 'Erreurs types',
      support: 'Appui',
      binds: 'Ce qui limite',
    },
    further: 'scénarios de plus figurent dans le manifeste',
    meaning:
      'Les lignes d’origine sont des lignes effectives. Un service qui protège ses données d’origine les donne sous forme de fourchette. L’inclinaison est le plus grand rapport entre la part d’une combinaison et sa part habituelle. Si vous analysez les lignes générées comme si chacune était une personne, multipliez vos erreurs types par le facteur √(1 + lignes / lignes d’origine).',
    thin: 'faible',
    enough: 'suffisant',
    notAsked: 'non demandé',
    seed: (of) => `orig. ${of}`,
    tipRows: (counted, requested) => `${count(counted)} sur ${count(requested)} lignes`,
    tipSeed: (of) => `${of} d’origine`,
    thinEvidence: 'appui faible',
    binds: (what) => `ce qui limite : ${what}`,
  },
  comparisons: {
    title: 'Comparaisons',
    against: (baseline) => said`par rapport à ${baseline}`,
    leftOut: (left, manifest, command) =>
      said`${rows(left)} sont omises ici. ${manifest} les contient toutes, et ${command} les écrit.`,
    countedIn: (where, seedRows) =>
      said`Ses indicateurs sont comptés dans les lignes où ${where}${seedRows === null ? '' : ` (${seedRows})`}.`,
    noResult: (names) => said`Pas de résultat à comparer : ${names}.`,
    insideSegments: (why) =>
      `Les intervalles à l’intérieur des segments ne reposent pas sur les données d’origine : ${why}.`,
    segmentOf: (level, scenario) => said`${level} dans ${scenario}`,
    emptySegments: (segments) => said`Sans lignes d’un côté : ${segments}.`,
    sharesOf: (column) => said`Parts de ${column}`,
    numbersOf: (figure, column) => said`${capital(figure)} de ${column}`,
    by: (column) => said` par ${column}`,
    rows: 'Lignes',
    size: (all, beyond) => `${rows(all)}, ${count(beyond)} au-delà du hasard`,
  },
}
