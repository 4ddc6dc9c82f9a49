import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, plural, rows, scenarios, tiene } from './numbers.ts'

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

export const SECTIONS: Words['sections'] = {
  responses: {
    title: 'A lo largo de los ejes',
    left: (outcomes) =>
      `Se dibujan los indicadores con las diferencias más fuertes. Las tablas de las comparaciones contienen ${plural(outcomes, 'indicador más', 'indicadores más')}.`,
    beyond: 'con intervalo del 95 %, más allá del azar',
    bandEnds: 'extremos de los intervalos válidos para todos los puntos a la vez',
    within: 'compatible con el azar o desconocido',
    baseline: 'referencia',
    caption: ({ axis, held, outcome, where, what, against, from }) =>
      `A lo largo de ${axis}${held === '' ? '' : `, con ${held}`}, ${outcome}${where === null ? '' : ` en las filas con ${where}`} ${what}; en ${against} es ${from}`,
    bars: (against) => `. Las barras son intervalos del 95 % de la diferencia respecto a ${against}.`,
    inDays: (against) => ` El eje cuenta los días desde ${against}.`,
    atBothEnds: (figure) => `es ${figure} en ambos extremos`,
    mayBeChance: (from, first, to, last) => `es ${from} en ${first} y ${to} en ${last}, lo que el azar puede explicar`,
    changes: (isRise, from, first, to, last) => `${isRise ? 'sube' : 'baja'} de ${from} (${first}) a ${to} (${last})`,
    atEveryValue: (figure) => `es ${figure} en todos los valores`,
    between: (low, high) => `está entre ${low} y ${high}, lo que el azar puede explicar`,
    extremes: (lowest, low, highest, high) =>
      `alcanza el mínimo en ${lowest} (${low}) y el máximo en ${highest} (${high})`,
    heads: { axis: 'Eje', held: 'Fijo', value: 'Valor', number: 'Número' },
    label: (outcome, axis, held) => `${outcome} a lo largo de ${axis}${held === '' ? '' : `, ${held}`}`,
    point: (value, to, difference, against) => `${value}: ${to}, ${difference} respecto a ${against}`,
    interval: (interval) => `intervalo del 95 % de la diferencia: ${interval}`,
  },
  axes: {
    share: (of) => `porcentaje de ${of}`,
    leastShare: (of) => `porcentaje mínimo de ${of}`,
    greatestShare: (of) => `porcentaje máximo de ${of}`,
    smallest: (column) => `mínimo de ${column}`,
    largest: (column) => `máximo de ${column}`,
    mean: (column) => `media de ${column}`,
    leastMean: (column) => `media mínima de ${column}`,
    greatestMean: (column) => `media máxima de ${column}`,
  },
  distributions: {
    title: 'Distribuciones',
    left: (distributions) =>
      `Se dibujan los escenarios que más difieren. ${plural(distributions, 'distribución más repetiría', 'distribuciones más repetirían')} lo que contienen las tablas de las comparaciones.`,
    baseline: 'referencia',
    scenario: 'escenario',
    label: (column, against, scenario) => `${column}: ${against} y ${scenario}`,
    shares: (column, where, inRows, against) =>
      said`Porcentajes de las categorías de ${column}${where === null ? '' : said`${' con '}${where}`}${inRows ? ' en las filas generadas' : ''}, ${against} (barras vacías) y cada escenario (barras llenas).`,
    numbers: ({ column, where, against, hasBins, hasQuantiles, isCut }) =>
      said`Distribución de ${column} en las filas generadas${where === null ? '' : said`${' con '}${where}`}, ${against} y cada escenario: ${hasBins ? said`los escalones son los porcentajes de los intervalos (${against} como área); ` : ''}${hasQuantiles ? 'las líneas van del cuantil del 5 % al del 95 %, las barras de un cuartil al otro' : 'no se conocen los cuantiles de varias réplicas juntas'}.${isCut ? ' Una cifra con flecha es el porcentaje más allá de ese borde.' : ''}`,
    level: 'Categoría, %',
    figure: 'Cifra',
    values: 'valores',
    deviation: 'desviación típica',
    days: (figure) => `${figure} días`,
    below: (edge) => `por debajo de ${edge}, %`,
    above: (edge) => `por encima de ${edge}, %`,
    more: (left) => `${left} más: véanse las cifras`,
    tip: (name, median, quartiles, ends) =>
      `${name}: mediana ${median}, cuartiles ${quartiles.join(' y ')}, cuantiles del 5 % y del 95 % ${ends.join(' y ')}`,
    median: (figure) => `mediana ${figure}`,
  },
  targets: {
    title: 'Objetivos y lo conseguido',
    all: 'Todos los objetivos',
    shares: (met, shares, of) => {
      const given = `que ${of === 1 ? 'pide' : 'piden'} ${scenarios(of)}`
      if (met < shares)
        return `${count(met)} de ${plural(shares, 'porcentaje', 'porcentajes')} ${given} se cumplen con exactitud de una fila. `
      return shares === 1
        ? `El único porcentaje ${given} se cumple con exactitud de una fila. `
        : `Los ${count(shares)} porcentajes ${given} se cumplen con exactitud de una fila. `
    },
    ranges: (outside, ranges) => {
      if (outside > 0) return `${count(outside)} de ${plural(ranges, 'rango', 'rangos')} ${tiene(outside)} filas fuera.`
      return ranges === 1
        ? 'Todas las filas están en el rango.'
        : `Todas las filas están en sus rangos (${count(ranges)} en total).`
    },
    means: (met, means) => {
      if (met === means) return means === 1 ? ' La media se cumple.' : ` Las ${count(means)} medias se cumplen.`
      return ` ${count(met)} de ${plural(means, 'media', 'medias')} ${met === 1 ? 'se cumple' : 'se cumplen'} con una milésima de exactitud.`
    },
    rules: (broken, rules) => {
      if (broken > 0) return ` Algunas filas incumplen ${count(broken)} de ${plural(rules, 'regla', 'reglas')}.`
      return rules === 1
        ? ' Todas las filas cumplen la regla del estudio.'
        : ` Todas las filas cumplen las ${count(rules)} reglas del estudio.`
    },
    withoutRows: (of) => ` ${plural(of, 'escenario más', 'escenarios más')} no ${tiene(of)} filas que medir.`,
    caption: (share, scenario, achieved, target) =>
      `La mayor distancia es la de ${share} en ${scenario}: ${achieved} en lugar de ${target}.`,
    drawn: (shown, all) => ` Se dibujan las ${shown} mayores de ${count(all)}.`,
    target: 'objetivo',
    achieved: 'conseguido',
    chance: 'lo que hace el azar por sí solo con tantas filas',
    picture: 'Objetivos y porcentajes conseguidos',
    tip: (share, target, achieved, of) => `${share}: objetivo ${target}, conseguido ${achieved} de ${of} filas`,
  },
  feasibility: {
    title: 'Las filas y la evidencia que las respalda',
    all: 'Todos los escenarios',
    notReported: 'El servicio no informa de cuántas filas de origen apoyan un escenario.',
    weakest: (isOne, of, scenario) =>
      said`Las filas generadas no son respuestas nuevas. Las filas efectivas dicen en cuántas filas de origen se apoya un escenario: ${isOne ? 'son' : 'el mínimo son'} ${of}, en ${scenario}.`,
    tooWide: (group) =>
      said`${group} tiene demasiados valores en ambos ejes para un mapa; sus cifras figuran en la tabla.`,
    caption: (full, all, group) =>
      `${full === all ? `Los ${scenarios(all)}` : `${count(full)} de ${scenarios(all)}`} de ${group} ${tiene(full)} todas las filas solicitadas; «orig.» es el número de filas efectivas de origen que los respaldan, y un color más intenso significa más.`,
    replicates: ' De las réplicas de un escenario se dibuja la más débil.',
    drawn: (shown, all) => ` Se dibujan ${shown} de ${all} mapas.`,
    scenariosOf: (group) => `Escenarios de ${group}`,
    heads: {
      askedFor: 'Solicitado',
      delivered: 'Entregado',
      seedRows: 'Filas de origen',
      tilt: 'Mayor inclinación',
      inRange: 'En el rango',
      standardErrors: 'Errores estándar',
      support: 'Apoyo',
      binds: 'Lo que limita',
    },
    further: 'escenarios más figuran en el manifiesto',
    meaning:
      'Las filas de origen son filas efectivas. Un servicio que protege sus datos de origen las da como intervalo. La inclinación es la mayor razón entre el porcentaje de una combinación y su porcentaje habitual. Si analiza las filas generadas como si cada una fuera una persona, multiplique sus errores estándar por el factor √(1 + filas / filas de origen).',
    thin: 'débil',
    enough: 'suficiente',
    notAsked: 'no solicitado',
    seed: (of) => `orig. ${of}`,
    tipRows: (counted, requested) => `${count(counted)} de ${count(requested)} filas`,
    tipSeed: (of) => `${of} de origen`,
    thinEvidence: 'evidencia débil',
    binds: (what) => `lo que limita: ${what}`,
  },
  comparisons: {
    title: 'Comparaciones',
    against: (baseline) => said`respecto a ${baseline}`,
    leftOut: (left, manifest, command) =>
      said`Aquí se omiten ${rows(left)}. ${manifest} las contiene todas, y ${command} las escribe.`,
    countedIn: (where, seedRows) =>
      said`Sus indicadores se cuentan en las filas con ${where}${seedRows === null ? '' : ` (${seedRows})`}.`,
    noResult: (names) => said`Sin resultado que comparar: ${names}.`,
    insideSegments: (why) => `Los intervalos dentro de los segmentos no se basan en los datos de origen: ${why}.`,
    segmentOf: (level, scenario) => said`${level} en ${scenario}`,
    emptySegments: (segments) => said`Sin filas en un lado: ${segments}.`,
    sharesOf: (column) => said`Porcentajes de ${column}`,
    numbersOf: (figure, column) => said`${capital(figure)} de ${column}`,
    by: (column) => said` por ${column}`,
    rows: 'Filas',
    size: (all, beyond) => `${rows(all)}, ${count(beyond)} más allá del azar`,
  },
}
