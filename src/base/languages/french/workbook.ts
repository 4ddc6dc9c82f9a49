import type { Words } from '../english/english.ts'

export const WORKBOOK: Words['workbook'] = {
  sheets: { targets: 'Cibles', backtest: (id) => `Rétrospective ${id}` },
  about: {
    by: (column) => `, par ${column}`,
    differences: 'Toutes les différences avec leurs intervalles à 95 %',
    targets: 'Ce que demande chaque scénario, et ce qu’ont ses lignes',
    provenance: 'Données, modèles et empreintes, pour citer et pour répéter',
  },
  ended: (at) => `Exécution terminée ${at}`,
  notEnded: 'L’exécution n’est pas terminée.',
  howToRead: 'Comment lire',
  letters:
    'Une lettre à côté d’un chiffre : le chiffre est plus élevé que celui de la colonne qui porte cette lettre, au-delà du hasard. On juge si une différence est au-delà du hasard d’après les différences appariées des comparaisons, parmi toutes les questions de l’étude (Benjamini et Hochberg, 5 %). Les colonnes qu’aucune comparaison ne met côte à côte ne portent pas de lettre l’une de l’autre.',
  bases:
    'Base : lignes d’origine dont un chiffre est tiré. Base effective : autant de lignes de même poids en disent autant. Là où elles sont vides, le service ne les donne pas. Les chiffres montrent les décimales que permet leur erreur type ; les cellules les ont toutes.',
  heads: {
    sheet: 'Feuille',
    has: 'Ce qu’elle contient',
    comparison: 'Comparaison',
    segment: 'Segment',
    question: 'Question',
    answer: 'Réponse',
    group: 'Groupe',
    unit: 'Unité',
    low: '95 % de',
    high: '95 % à',
    errorOf: (what) => `${what}, erreur`,
  },
  allRows: 'Toutes les lignes',
  rowsWith: (where) => `Lignes : ${where}`,
  all: 'Ensemble',
  base: 'Base : lignes d’origine',
  effectiveBase: 'Base effective',
  rangeOf: (column) => `plage de ${column}`,
  terms: {
    study: 'Étude',
    name: 'Nom',
    description: 'Description',
    id: 'Identifiant',
    trial: 'Essai, lignes au plus',
    cleanRows: 'Lignes après nettoyage',
    cleanColumns: 'Colonnes après nettoyage',
  },
}
