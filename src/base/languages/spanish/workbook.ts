import type { Words } from '../english/english.ts'

export const WORKBOOK: Words['workbook'] = {
  sheets: { targets: 'Objetivos', backtest: (id) => `Retrospectiva ${id}` },
  about: {
    by: (column) => `, por ${column}`,
    differences: 'Todas las diferencias con sus intervalos del 95 %',
    targets: 'Lo que pide cada escenario y lo que tienen sus filas',
    provenance: 'Datos, modelos y huellas, para citar y para repetir',
  },
  ended: (at) => `Ejecución terminada ${at}`,
  notEnded: 'La ejecución no ha terminado.',
  howToRead: 'Cómo se lee',
  letters:
    'Una letra junto a una cifra: la cifra es mayor que la de la columna con esa letra, más allá del azar. Si una diferencia está más allá del azar se juzga con las diferencias pareadas de las comparaciones, entre todas las preguntas del estudio (Benjamini y Hochberg, 5 %). Las columnas que ninguna comparación pone una junto a otra no llevan letras una de otra.',
  bases:
    'Base: filas de los datos de origen de las que sale una cifra. Base efectiva: tantas filas de igual peso dicen lo mismo. Si están vacías, el servicio no las da. Las cifras muestran los dígitos que admite su error estándar; las celdas los tienen todos.',
  heads: {
    sheet: 'Hoja',
    has: 'Qué contiene',
    comparison: 'Comparación',
    segment: 'Segmento',
    question: 'Pregunta',
    answer: 'Respuesta',
    group: 'Grupo',
    unit: 'Unidad',
    low: '95 % desde',
    high: '95 % hasta',
    errorOf: (what) => `${what}, error`,
  },
  allRows: 'Todas las filas',
  rowsWith: (where) => `Filas: ${where}`,
  all: 'Todos',
  base: 'Base: filas de origen',
  effectiveBase: 'Base efectiva',
  rangeOf: (column) => `rango de ${column}`,
  terms: {
    study: 'Estudio',
    name: 'Nombre',
    description: 'Descripción',
    id: 'Código',
    trial: 'Ensayo, filas como máximo',
    cleanRows: 'Filas tras la limpieza',
    cleanColumns: 'Columnas tras la limpieza',
  },
}
