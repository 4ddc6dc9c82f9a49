import type { Words } from '../english/english.ts'
import { count, plural, scenarios, tiene } from './numbers.ts'

export const DECK: Words['deck'] = {
  tag: 'es-ES',
  part: (part, parts) => ` (${part} de ${parts})`,
  inFull: 'Completo:',
  answerSides: 'Referencia → escenario',
  low: '95 % desde',
  high: '95 % hasta',
  whiskerBelow: 'Barra hacia abajo',
  whiskerAbove: 'Barra hacia arriba',
  titleOf: (title, comparison) => `${title}: ${comparison}`,
  comparison: (id, against) => `Comparación ${id}: diferencias respecto a ${against}.`,
  judged:
    'Cada intervalo vale por sí solo. Si una diferencia está más allá del azar se juzga sobre todas las preguntas del estudio (Benjamini y Hochberg, 5 %).',
  forest: (outcome, against) => `Diferencias de ${outcome} respecto a ${against}, con intervalos del 95 %`,
  forestColours: 'Las barras azules están más allá del azar; en las grises cabe el azar, o no se sabe.',
  unmoved: (value, comparison) =>
    `${plural(value, 'indicador', 'indicadores')} sin ninguna diferencia más allá del azar${comparison === null ? '' : ` en ${comparison}`}`,
  strongest: 'De cada indicador se muestra la diferencia más fuerte.',
  segments:
    'Las diferencias más fuertes dentro de los segmentos; el libro de cálculo (whatif report --xlsx) las tiene todas.',
  curve: {
    whiskers: (against) =>
      `Las barras son intervalos del 95 % de la diferencia respecto a ${against}, puestos en torno a su valor. Los puntos azules difieren de ella más allá del azar; los grises no, o no se sabe.`,
    days: (against) => `El eje cuenta días desde ${against}.`,
    lowerEnd: 'Extremo inferior para todos los puntos a la vez',
    upperEnd: 'Extremo superior para todos los puntos a la vez',
    further: (value) =>
      `El libro de cálculo (whatif report --xlsx) tiene ${plural(value, 'indicador más', 'indicadores más')}.`,
  },
  distribution: {
    title: (column, scenario, against) => `${column} con ${scenario} y en ${against}`,
    shares: ({ column, where, inRows, sides }) =>
      `Porcentajes de las categorías de ${column}, ${inRows ? 'en las filas generadas' : 'según los datos de origen, reponderados a cada lado'}${where === null ? '' : `, solo filas con ${where}`}: ${sides}.`,
    steps: (column, where, isDate) =>
      `Distribución de ${column} en las filas generadas${where === null ? '' : ` con ${where}`}: la altura de un escalón es el porcentaje de las filas por unidad${isDate ? ', un día, y el eje cuenta días desde 1970' : ''}, de modo que su área es el porcentaje de las filas.`,
    beyondSteps: (name, below, above) =>
      `${name}: el ${below} de las filas queda por debajo del primer escalón, y el ${above} por encima del último.`,
    label: (column) => `Distribución de ${column}`,
    perUnit: 'porcentaje de filas por unidad',
    days: (column) => `${column}, días desde 1970`,
    inRows: 'En las filas generadas',
  },
  verdict: (comparison, against, verdict) => `${comparison}, respecto a ${against}: ${verdict}.`,
  moreComparisons: (left) => `Y ${plural(left, 'comparación más', 'comparaciones más')}.`,
  ended: (at) => `La ejecución terminó: ${at}.`,
  figuresOf: (digest) => `Las cifras son las del manifiesto con la huella ${digest}.`,
  gates: 'Los controles son las condiciones que el estudio pone a sus resultados.',
  gatesFailed: (failed, gates) =>
    `${count(failed)} de ${plural(gates, 'control', 'controles')} ${failed === 1 ? 'no superado' : 'no superados'}`,
  mix: 'la composición de los datos',
  scenarios:
    'Porcentajes, rangos y medias que pide un escenario; el libro de cálculo (whatif report --xlsx) dice los que tienen sus filas.',
  scenariosTitle: (ready, all) => `${count(ready)} de ${scenarios(all)} ${tiene(ready)} las filas solicitadas`,
  method: 'Cómo se obtienen las respuestas y lo seguras que son',
  methodNote: 'El método completo está en docs/answers.md de whatif.',
  provenance: 'De dónde salen estas cifras, para citar y para repetir',
  provenanceNote: 'whatif verify comprueba los archivos de una ejecución con su registro.',
  heads: { of: 'De', what: 'Qué' },
}
