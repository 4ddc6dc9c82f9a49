import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, plural, rows } from './numbers.ts'

const columns = (value: number): string => plural(value, 'columna', 'columnas')

export const DATA: Words['data'] = {
  title: 'Datos y modelo',
  trainedEarlier: 'El modelo se entrenó antes.',
  seedFile: (file) => said`El archivo de origen es ${file}.`,
  cleaningNotReported: 'El servicio no informa de lo que hizo la limpieza.',
  qualityNotReported: 'El servicio no informa de la calidad del modelo.',
  sizes: (all, wide, left, kept) =>
    `Tiene ${rows(all)} y ${columns(wide)}; la limpieza conserva ${left === null ? 'todas las filas' : rows(left)} y ${kept === null ? 'todas las columnas' : columns(kept)}.`,
  leftOut: (of) => `La limpieza descartó ${columns(of)}:`,
  leftOutFor: (names, _of, reason) => said`${names}: ${reason}.`,
  reasons: {
    constant: 'el mismo valor en todas las filas',
    near_zero_variance: 'el mismo valor en casi todas las filas',
    mostly_missing: 'vacía en su mayor parte',
    identifier: 'identifica filas o personas concretas',
    free_text: 'texto libre',
    too_many_levels: 'demasiados valores distintos',
    unmodelled: 'no se puede modelizar',
    case_weight: 'contiene las ponderaciones de las filas',
    survey_design: 'indica cómo se extrajeron las filas',
  },
  promises: 'Lo que las filas sintéticas no prometen',
  promised: [
    'Las filas generadas no prueban la privacidad: cuantas más se generan por fila de origen, mejor revelan quién está en ellas.',
    'No indican causas: un escenario repondera las respuestas de los datos de origen y no sabe por qué actúan las personas.',
    'No son personas nuevas: un intervalo dice lo que permiten los datos de origen, por muchas filas que se generen.',
    'Lo que muestran pocas filas de origen es incierto, y lo que no muestra ninguna no se puede generar.',
    'Una categoría se escribe tal como es, también la que una hoja de cálculo tomaría por una fórmula.',
  ],
  quality: {
    measured: (trained, heldOut) => `Se comparó un modelo de ${rows(trained)} con ${rows(heldOut)} que no había visto.`,
    detectable: (auc) => `Con tan pocas filas, un AUC de ${auc} es el menor que se detecta, con una potencia del 80 %.`,
    notMeasured: (figure, reason) => said`Sin medir: ${figure}. ${reason}`,
    stroke: 'El trazo es la cifra de otras filas reales.',
    held: (held, known) =>
      `${held} de ${known} cifras tienen su referencia, el trazo, dentro de la banda del azar o de su intervalo del 95 %.`,
    attackNote: ' El ataque de pertenencia usa N filas generadas para n filas de entrenamiento.',
    noGuarantee: ' Es un indicio, no una garantía de privacidad.',
    title: 'Calidad del modelo',
    heads: { figure: 'Cifra', model: 'Modelo', against: 'Comparado con' },
    shapes: 'Formas de las columnas',
    pairs: (pairs) => plural(pairs, 'par de columnas', 'pares de columnas'),
    distinguished: 'Distinción respecto a filas reales',
    nearerTrained: 'Más cerca de una fila de entrenamiento',
    attack: (times) => `Ataque de pertenencia, N = ${times === 1 ? '' : `${times} `}n`,
    correlations: (pairs) => `Fuerza de ${plural(pairs, 'correlación', 'correlaciones')}`,
    items: (first, last) => said`Ítems ${first} a ${last}`,
    groupDifferences: 'Diferencias entre grupos',
    medianOf: (of) => `Su mediana en ${columns(of)}`,
    differencesOf: (column) => said`Diferencias de ${column}`,
    pmse: 'pMSE respecto a lo esperado',
    copies: 'Copias exactas de filas de entrenamiento',
    rareNumbers: 'Con un número de menos de 10 filas de origen',
    strength: (low, high) => `95 %: ${low} a ${high}; filas reales 1`,
    aroundOne: (chance) => `1 ± ${chance} por azar`,
    auc: (half, chance) => `AUC; ${half} ± ${chance} por azar`,
    share: (half, chance) => `proporción; ${half} ± ${chance} por azar`,
    otherRows: (figure) => `otras filas reales ${figure}`,
    trainedRows: (of) => `filas de entrenamiento: ${of}`,
    rows,
    underTen: 'menos de 10 filas',
  },
  risk: {
    title: 'Riesgo de pertenencia',
    heads: {
      dataset: 'Conjunto de datos',
      perTrained: 'Filas por fila de entrenamiento',
      auc: 'AUC del ataque',
      chance: 'Azar',
      measuredAt: 'Medido con',
    },
    together: 'todos juntos',
    note: 'Hasta qué punto un atacante que conoce una fila entera puede decidir, por las filas entregadas, si estaba en los datos de entrenamiento: 0,5 significa que en absoluto. El AUC se midió sin escenario, con las filas por fila de entrenamiento de la última columna; con más filas el riesgo es mayor.',
  },
  density: {
    title: 'Más filas de las que permiten los datos de origen',
    heads: { rows: 'Filas', seedRows: 'Filas de origen', perSeedRow: 'Filas por fila de origen' },
    note: (most, risks, half) =>
      `Estos tienen más de ${count(most)} filas por cada fila que la limpieza dejó del archivo de origen. Más filas no añaden información y aumentan el riesgo para las personas de los datos de origen: la distancia a la fila generada más próxima las distinguía de otras con un área bajo la curva ROC de ${risks.map(({ rowsPerRow, auc }) => `${auc} con ${rowsPerRow}`).join('; ')} filas por fila de origen (${half} es azar; medido en personas simuladas).`,
  },
}
