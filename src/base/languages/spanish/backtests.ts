import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, plural, rows } from './numbers.ts'

export const BACKTESTS: Words['backtests'] = {
  title: '¿Acertó alguna vez?',
  done: (by, on) => said`Cada grupo de ${by} se predice a partir de los demás, reponderados según su ${on}.`,
  madeBy: (tool) => said`Hecho por whatif ${tool}.`,
  unknown: (why) => `no se sabe nada: ${why}`,
  nothing: 'no se pudo predecir nada',
  nearer: (nearer, predictions) =>
    `la respuesta reponderada está más cerca que la no ponderada en ${count(nearer)} de ${plural(predictions, 'cifra', 'cifras')}`,
  held: (held, told, misses) =>
    `; los intervalos del 95 % contienen la respuesta real en ${count(held)} de ${count(told)} casos ${
      misses === 0
        ? '(por azar, uno de cada veinte no la contiene)'
        : `(por azar, cerca de ${count(misses)} no la ${misses === 1 ? 'contiene' : 'contienen'})`
    }`,
  relative: (error, isBetter) =>
    `su error es ${error} del que se comete sin hacer nada${isBetter ? '' : ': reponderar no ayudó'}`,
  times: (ratio) => `${count(ratio)} veces`,
  byModels: ({ rows: of, nearer, predictions, held, error }) =>
    [
      `con modelos entrenados sin el grupo, a partir de ${rows(of)} cada uno: más cerca que la respuesta no ponderada en ${count(nearer)} de ${plural(predictions, 'cifra', 'cifras')}`,
      ...(held === null
        ? []
        : [`en ${count(held[0])} de ${count(held[1])} casos dentro del intervalo y del ruido de generación`]),
      ...(error === null ? [] : [`con ${error} del error que se comete sin hacer nada`]),
    ].join('; '),
  noneBeyond: 'ningún error está más allá del azar, juzgados en conjunto',
  someBeyond: (beyond, told) =>
    `${count(beyond)} de ${plural(told, 'error', 'errores')} ${beyond === 1 ? 'está' : 'están'} más allá del azar, juzgados en conjunto: los grupos difieren en algo que estas columnas no dicen`,
  note: 'Un error es lo que se predijo menos lo que respondió el grupo; «no ponderado» es el error de los demás tal como son. Su intervalo tiene en cuenta el azar de ambas muestras, cada uno al 95 %. Los errores más allá del azar (*) se juzgan en conjunto. Una prueba retrospectiva no dice nada de las causas, de columnas por las que nadie preguntó ni de un grupo que no se parece a ningún otro.',
  notPredicted: (group, why) => said`${group} no se predice: ${why}.`,
  why: {
    no_match:
      'los demás no se pueden reponderar a su composición, por ejemplo porque ninguno tiene una de sus categorías',
    too_few_rows: 'muy pocas filas suyas, o de los demás',
  },
  heads: {
    figure: 'Cifra',
    predicted: 'Predicho',
    actual: 'Real',
    error: 'Error',
    interval: 'Intervalo del 95 %',
    unweighted: 'No ponderado',
    byModel: 'Modelo',
  },
  errors: 'Errores',
  rowsLeft: 'filas se omiten aquí',
  smallerErrors: (figures) =>
    `${plural(figures, 'cifra con error menor figura', 'cifras con errores menores figuran')} solo en la tabla.`,
  firstGroups: (groups) => `Las imágenes muestran los primeros ${groups} grupos.`,
  errorMark: 'error, reponderado, con su intervalo del 95 %',
  nothingMark: 'error sin hacer nada',
  picture: (figure) => `Errores de ${figure} por grupo`,
  tip: (of) =>
    `${of.group}. ${of.figure}: predicho ${of.predicted}, real ${of.actual}, error ${of.error}, intervalo del 95 % de ${of.interval}, no ponderado ${of.unweighted}${of.isBeyond ? ', más allá del azar' : ''}`,
}
