import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, plural } from './numbers.ts'

const gates = (value: number): string => plural(value, 'contrôle', 'contrôles')

export const TABLES: Words['tables'] = {
  heads: {
    scenario: 'Scénario',
    column: 'Colonne',
    level: 'Modalité',
    target: 'Cible',
    achieved: 'Atteint',
    difference: 'Différence',
    noise: 'Bruit de génération',
    rows: 'Lignes',
    rowsOutside: 'Lignes en dehors',
    shareOutside: 'Part en dehors',
    distance: 'Écart',
    values: 'Valeurs',
    rule: 'Règle',
    rowsAbout: 'Lignes concernées',
    rowsBreaking: 'Lignes en infraction',
  },
  shares: 'Parts',
  sharesLeft: 'Parts laissées au modèle',
  ranges: 'Plages',
  means: 'Moyennes',
  rules: 'Règles',
  further: {
    targets: 'cibles de plus figurent dans le manifeste',
    shares: 'parts de plus figurent dans le manifeste',
    ranges: 'plages de plus figurent dans le manifeste',
    means: 'moyennes de plus figurent dans le manifeste',
    rules: 'règles de plus figurent dans le manifeste',
  },
  noValue: '(sans valeur)',
  noise:
    'Le bruit de génération est 2·√(p(1−p)/n) : la variation de la part dans n lignes par le seul hasard, si les lignes sont tirées indépendamment. Il montre à quel point un résultat approche de sa cible, et ne dit rien de la population. Un service qui atteint les cibles à la ligne près, comme le fait celui qui est intégré, reste bien en dessous.',
  gates: {
    title: 'Contrôles',
    verdict: (passed, all) => {
      if (passed < all) return `${count(passed)} sur ${gates(all)} ${passed < 2 ? 'satisfait' : 'satisfaits'}.`
      return all === 1 ? 'Le contrôle est satisfait.' : `Les ${count(all)} contrôles sont satisfaits.`
    },
    passed: 'Contrôles satisfaits',
    notPassed: 'Contrôles non satisfaits',
    heads: {
      of: 'De',
      gate: 'Contrôle',
      level: 'Niveau',
      expected: 'Attendu',
      found: 'Trouvé',
      verdict: 'Verdict',
    },
    owners: { scenario: '', comparison: 'comparaison ', backtest: 'test rétrospectif ' },
    more: 'de plus figurent dans manifest.json',
    nothing: 'rien à évaluer',
    otherwise: 'le manifeste dit autre chose',
    notSelected: 'non sélectionné dans cette exécution',
    ok: 'satisfait',
    failed: 'non satisfait',
    warning: 'avertissement',
  },
  replicates: {
    none: (scenario) => said`${scenario} : aucune répétition n’a de résultat.`,
    together: (scenario, known, all, names) => {
      const of = plural(all, 'répétition', 'répétitions')
      return said`${scenario} réunit ${known === all ? of : `${known} sur ${of}`} : ${names}.`
    },
    spread: (figures) =>
      said` D’une répétition à l’autre, la différence varie de (écart-type) : ${figures}. Cela mesure le bruit de génération, non l’échantillonnage des données d’origine.`,
  },
  distances: {
    title: 'À quel point les lignes approchent des réponses',
    atMost: (points) => `au plus ${points} points d’écart ; `,
    far: (far, all) => `${count(far)} sur ${differences(all)} au-delà de deux erreurs types`,
    rowsOf: (comparison) => said`Lignes de la comparaison ${comparison}`,
    heads: {
      differences: 'Différences',
      largest: 'Plus grand écart, points',
      rms: 'Moyenne quadratique, erreurs types',
      beyond: 'Au-delà de deux erreurs types',
    },
    note: 'À quel point les différences dans les lignes générées approchent des réponses. L’écart est celui du fichier, non celui des réponses. Le bruit de génération en fait partie, de sorte qu’il est plus grand dans les fichiers de peu de lignes. Les segments du fichier sont moins proches.',
  },
  leading: {
    of: (comparison, against) => said`${comparison} par rapport à ${against}`,
    title: (comparison) => said`Ce que dit ${comparison}`,
  },
}
