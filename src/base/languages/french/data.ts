import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, plural, rows } from './numbers.ts'

const columns = (value: number): string => plural(value, 'colonne', 'colonnes')

export const DATA: Words['data'] = {
  title: 'Données et modèle',
  trainedEarlier: 'Le modèle a été entraîné auparavant.',
  seedFile: (file) => said`Le fichier d’origine est ${file}.`,
  cleaningNotReported: 'Le service n’indique pas ce que le nettoyage a fait.',
  qualityNotReported: 'Le service n’indique pas la qualité du modèle.',
  sizes: (all, wide, left, kept) =>
    `Il compte ${rows(all)} et ${columns(wide)} ; le nettoyage garde ${left === null ? 'toutes les lignes' : rows(left)} et ${kept === null ? 'toutes les colonnes' : columns(kept)}.`,
  leftOut: (of) => `Le nettoyage a écarté ${columns(of)} :`,
  leftOutFor: (names, _of, reason) => said`${names} : ${reason}.`,
  reasons: {
    constant: 'même valeur dans toutes les lignes',
    near_zero_variance: 'même valeur dans presque toutes les lignes',
    mostly_missing: 'vide pour l’essentiel',
    identifier: 'désigne des lignes ou des personnes précises',
    free_text: 'texte libre',
    too_many_levels: 'trop de valeurs différentes',
    unmodelled: 'impossible à modéliser',
    case_weight: 'contient les poids des lignes',
    survey_design: 'indique comment les lignes ont été tirées',
  },
  promises: 'Ce que les lignes synthétiques ne promettent pas',
  promised: [
    'Les lignes générées n’apportent aucune preuve de confidentialité : plus on en génère par ligne d’origine, mieux elles révèlent qui y figure.',
    'Elles n’indiquent pas de causes : un scénario repondère les réponses des données d’origine et ne sait pas pourquoi les gens agissent.',
    'Elles ne sont pas de nouvelles personnes : un intervalle dit ce que les données d’origine permettent, quel que soit le nombre de lignes générées.',
    'Ce que peu de lignes d’origine montrent est incertain, et ce qu’aucune ne montre ne peut pas être généré.',
    'Une modalité est écrite telle quelle, même si un tableur la prendrait pour une formule.',
  ],
  quality: {
    measured: (trained, heldOut) =>
      `Un modèle fondé sur ${rows(trained)} a été comparé à ${rows(heldOut)} qu’il n’avait pas vues.`,
    detectable: (auc) =>
      `Avec si peu de lignes, une AUC de ${auc} est la plus petite que l’on détecte, avec une puissance de 80 %.`,
    notMeasured: (figure, reason) => said`Non mesuré : ${figure}. ${reason}`,
    stroke: 'Le trait est la valeur d’autres lignes réelles.',
    held: (held, known) =>
      `${held} chiffres sur ${known} ont leur référence, le trait, dans la bande du hasard ou dans leur intervalle à 95 %.`,
    attackNote: ' L’attaque d’appartenance utilise N lignes générées pour n lignes d’apprentissage.',
    noGuarantee: ' C’est un indice, non une garantie de confidentialité.',
    title: 'Qualité du modèle',
    heads: { figure: 'Chiffre', model: 'Modèle', against: 'À comparer avec' },
    shapes: 'Formes des colonnes',
    pairs: (pairs) => plural(pairs, 'paire de colonnes', 'paires de colonnes'),
    distinguished: 'Distinction des lignes réelles',
    nearerTrained: 'Plus proche d’une ligne d’apprentissage',
    attack: (times) => `Attaque d’appartenance, N = ${times === 1 ? '' : `${times} `}n`,
    correlations: (pairs) => `Force de ${plural(pairs, 'corrélation', 'corrélations')}`,
    items: (first, last) => said`Items ${first} à ${last}`,
    groupDifferences: 'Différences entre groupes',
    medianOf: (of) => `Leur médiane sur ${columns(of)}`,
    differencesOf: (column) => said`Différences de ${column}`,
    pmse: 'pMSE rapporté à sa valeur attendue',
    copies: 'Copies exactes de lignes d’apprentissage',
    rareNumbers: 'Avec un nombre de moins de 10 lignes d’origine',
    strength: (low, high) => `95 % : ${low} à ${high} ; lignes réelles 1`,
    aroundOne: (chance) => `1 ± ${chance} par hasard`,
    auc: (half, chance) => `AUC ; ${half} ± ${chance} par hasard`,
    share: (half, chance) => `part ; ${half} ± ${chance} par hasard`,
    otherRows: (figure) => `autres lignes réelles ${figure}`,
    trainedRows: (of) => `lignes d’apprentissage : ${of}`,
    rows,
    underTen: 'moins de 10 lignes',
  },
  risk: {
    title: 'Risque d’appartenance',
    heads: {
      dataset: 'Jeu de données',
      perTrained: 'Lignes par ligne d’apprentissage',
      auc: 'AUC de l’attaque',
      chance: 'Hasard',
      measuredAt: 'Mesuré à',
    },
    together: 'tous ensemble',
    note: 'Dans quelle mesure un attaquant qui connaît une ligne entière peut décider, d’après les lignes livrées, si elle figurait dans les données d’apprentissage : 0,5 signifie pas du tout. L’AUC a été mesurée sans scénario, au nombre de lignes par ligne d’apprentissage de la dernière colonne ; avec plus de lignes, le risque est plus grand.',
  },
  density: {
    title: 'Plus de lignes que les données d’origine n’en permettent',
    heads: { rows: 'Lignes', seedRows: 'Lignes d’origine', perSeedRow: 'Lignes par ligne d’origine' },
    note: (most, risks, half) =>
      `Ceux-ci ont plus de ${count(most)} lignes pour chaque ligne que le nettoyage a laissée du fichier d’origine. Des lignes de plus n’apportent aucune information et accroissent le risque pour les personnes des données d’origine : la distance à la ligne générée la plus proche les distinguait des autres avec une aire sous la courbe ROC de ${risks.map(({ rowsPerRow, auc }) => `${auc} à ${rowsPerRow}`).join(' ; ')} lignes par ligne d’origine (${half} : le hasard ; mesuré sur des personnes simulées).`,
  },
}
