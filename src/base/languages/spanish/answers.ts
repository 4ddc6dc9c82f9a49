import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, plural, rows, scenarios, tiene } from './numbers.ts'

/** Quantiles are masculine. */
const withArticle = (figure: string): string => (figure.startsWith('cuantil') ? `el ${figure}` : `la ${figure}`)
const esta = (value: number): string => (value === 1 ? 'está' : 'están')

export const ANSWERS: Words['answers'] = {
  heads: {
    scenario: 'Escenario',
    outcome: 'Indicador',
    baseline: 'Referencia',
    difference: 'Diferencia',
    interval: 'Intervalo del 95 %',
    inRows: 'En las filas',
    beyond: 'Más allá del azar',
    notes: 'Notas',
    marks: 'Notas',
    from: 'De',
    to: 'A',
  },
  marks: {
    'asked for': 'fijado',
    thin: 'apoyo débil',
    'too few seed rows': 'muy pocas filas de origen',
    'another training': 'otro entrenamiento',
  },
  generationAlone: 'intervalo solo del ruido de generación',
  withModel: (difference) => `con ayuda del modelo ${difference} (más cerca en promedio, pero atenuado)`,
  bases: {
    seed: 'los datos de origen, reponderados a ambos escenarios',
    effective_rows: 'una cota a partir de las filas efectivas',
    generation: 'solo el ruido de generación',
  },
  noEstimates: {
    no_estimates_operation: 'el servicio no estima diferencias a partir de los datos de origen',
    no_segment_estimates: 'el servicio no estima diferencias dentro de los segmentos',
    no_where_estimates: 'el servicio no estima diferencias entre las filas de `where`',
    no_quantile_estimates: 'el servicio no da cuantiles: protege sus datos de origen o no los conoce',
    estimates_dataset_gone: 'el servicio ya no tiene el conjunto de datos',
    estimates_other_model: 'los dos lados proceden de modelos distintos',
    estimates_refused: 'el servicio se negó a estimarlas',
    estimates_unreadable: 'no se pudo leer la respuesta del servicio',
    estimates_failed: 'el servicio no respondió; la próxima ejecución volverá a preguntar',
    estimates_not_asked:
      'no se preguntó al servicio: la ejecución terminó antes, o los datos no tienen lo que se nombra',
  },
  restOn: (bases) => `los intervalos se basan en: ${bases}`,
  noIntervals: (why) => `sin intervalos: ${why}`,
  noQuantileIntervals: (why) => `sin intervalos de los cuantiles: ${why}`,
  notes: [
    'La respuesta es lo que dicen los datos de origen: la diferencia entre sus propias filas, reponderadas a ambos escenarios. Su intervalo contiene la diferencia en la población con un 95 % de confianza, si los datos de origen son una muestra aleatoria de ella. Ninguno de los dos depende de cuántas filas se generen.',
    '«En las filas» es la misma diferencia en las filas generadas. Siguen las respuestas hasta donde pueden, y menos dentro de los segmentos.',
    '«Apoyo débil» señala una respuesta que se apoya en menos de 50 filas de los datos de origen, o en menos de 20 grados de libertad (50 si es una media). Con menos de 20 filas no hay intervalo. Por debajo de 50 filas figura al lado una cifra con ayuda del modelo: la diferencia de los datos de origen mezclada con la de las filas. Está en promedio más cerca de la verdad, y atenuada: es demasiado pequeña.',
  ],
  shareOutcome: (column, level) => said`el porcentaje de ${column} ${level}`,
  numberOutcome: (figure, column) => said`${withArticle(figure)} de ${column}`,
  sentence: ({ scenario, outcome, rows: counted, falls, from, to, difference, interval }) =>
    said`Con ${scenario}, ${outcome}${counted === null ? '' : said`${' en las filas con '}${counted}`} ${falls ? 'baja' : 'sube'} de ${from} a ${to}: ${difference}${interval === '' ? '' : `, intervalo del 95 % de ${interval}`}`,
  countedIn: (where, seedRows) => `contado en las filas con ${where}${seedRows === null ? '' : ` (${seedRows})`}`,
  notCompared: { shares: '', means: ' media', quantiles: ' cuantiles', segments: ' segmentos', where: ' en where' },
  notInData: (names) => `no comparado, porque los datos no lo contienen: ${names.join(', ')}`,
  brokenRules: (broken, rule, others) =>
    `${rows(broken)} ${broken === 1 ? 'incumple' : 'incumplen'} «${rule}»${others === 0 ? '' : `, y ${plural(others, 'regla más se incumple', 'reglas más se incumplen')}`}`,
  trial: (most) =>
    `ensayo con un máximo de ${rows(most)} por escenario: las cifras son menos precisas que las del estudio, y los controles no cuentan`,
  nearestConditions: 'Las condiciones más cercanas con todas las filas:',
  nearestMix: (points) => `La combinación más cercana con todas las filas desplaza los porcentajes ${points}:`,
  nothingToEvaluate: 'nada que evaluar',
  gateInterval: (percent, interval) =>
    percent === null ? `intervalo de ${interval}` : `intervalo del ${percent} de ${interval}`,
  noInterval: {
    too_few_rows: 'muy pocas filas de origen para un intervalo',
    generation_only: 'sin intervalo: solo se conoce el ruido de generación',
    no_standard_error: 'sin intervalo: un lado tiene menos de dos valores',
    other: 'sin intervalo',
  },
  verdicts: {
    none: 'ninguna diferencia',
    noneAsMissing: 'ninguna diferencia, porque faltan resultados',
    tooFew: (all) => `${differences(all)}; muy pocas filas de origen para un intervalo`,
    unknown: (all) => `${differences(all)}; se desconoce el papel del azar`,
    oneWithin: 'la diferencia es compatible con el azar',
    oneBeyond: 'la diferencia está más allá del azar',
    noneBeyond: (all) => `ninguna de las ${count(all)} diferencias está más allá del azar`,
    someBeyond: (beyond, all) => `${count(beyond)} de las ${count(all)} diferencias ${esta(beyond)} más allá del azar`,
    questions: (beyond, asked) =>
      asked === 1
        ? `la respuesta a la pregunta ${beyond === 1 ? 'está más allá del azar' : 'es compatible con el azar'}`
        : beyond === 0
          ? `ninguna de las ${count(asked)} preguntas tiene una respuesta más allá del azar`
          : `${count(beyond)} de las ${count(asked)} preguntas ${tiene(beyond)} una respuesta más allá del azar`,
    moreOfThem: (more) => `${count(more)} más`,
    moreBeyond: (more) => `${count(more)} más ${esta(more)} más allá del azar`,
    moreWithin: (more) => `${count(more)} más ${more === 1 ? 'es compatible' : 'son compatibles'} con el azar`,
    moreTooFew: (more) => `${count(more)} más ${tiene(more)} muy pocas filas de origen para un intervalo`,
    moreUnknown: (more) => `en ${count(more)} más se desconoce el papel del azar`,
    oneInTwenty: 'cerca de 1 de cada 20 respuestas más allá del azar se debe, pese a todo, al azar',
    ifNone: (chance, decided) =>
      `si ninguna diferencia fuera real, unas ${count(chance)} de ${count(decided)} estarían más allá del azar`,
    bySegments: (by, what) => `por ${by}: ${what}`,
    segmentsUnknown: (all) => `${differences(all)} dentro de los segmentos; se desconoce el papel del azar`,
    segments: (beyond, all, chance) =>
      `${count(beyond)} de las ${count(all)} diferencias dentro de los segmentos ${esta(beyond)} más allá del azar${chance === null ? '' : `, y unas ${count(chance)} lo estarían si ninguna fuera real`}`,
    pooled: (pooled, fewest, most) => {
      const replicates = plural(most, 'réplica', 'réplicas')
      const span = fewest === most ? replicates : `${fewest} a ${replicates}`
      return pooled === 1 ? `1 escenario reúne ${span}` : `${count(pooled)} escenarios reúnen ${span} cada uno`
    },
    withoutResult: (missing) => `${scenarios(missing)} sin resultado en ambos lados`,
  },
}
