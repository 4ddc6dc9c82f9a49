import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, plural } from './numbers.ts'

const gates = (value: number): string => plural(value, 'control', 'controles')

export const TABLES: Words['tables'] = {
  heads: {
    scenario: 'Escenario',
    column: 'Columna',
    level: 'Categoría',
    target: 'Objetivo',
    achieved: 'Conseguido',
    difference: 'Diferencia',
    noise: 'Ruido de generación',
    rows: 'Filas',
    rowsOutside: 'Filas fuera',
    shareOutside: 'Porcentaje fuera',
    distance: 'Distancia',
    values: 'Valores',
    rule: 'Regla',
    rowsAbout: 'Filas a las que se aplica',
    rowsBreaking: 'Filas que la incumplen',
  },
  shares: 'Porcentajes',
  sharesLeft: 'Porcentajes que decide el modelo',
  ranges: 'Rangos',
  means: 'Medias',
  rules: 'Reglas',
  further: {
    targets: 'objetivos más figuran en el manifiesto',
    shares: 'porcentajes más figuran en el manifiesto',
    ranges: 'rangos más figuran en el manifiesto',
    means: 'medias más figuran en el manifiesto',
    rules: 'reglas más figuran en el manifiesto',
  },
  noValue: '(sin valor)',
  noise:
    'El ruido de generación es 2·√(p(1−p)/n): la variación del porcentaje en n filas solo por azar, si las filas se extraen de forma independiente. Muestra lo cerca que queda un resultado de su objetivo, y no dice nada de la población. Un servicio que cumple los objetivos hasta la fila más próxima, como hace el integrado, queda muy por debajo.',
  gates: {
    title: 'Controles',
    verdict: (passed, all) => {
      if (passed < all) return `${count(passed)} de ${gates(all)} ${passed === 1 ? 'superado' : 'superados'}.`
      return all === 1 ? 'El control se ha superado.' : `Los ${count(all)} controles se han superado.`
    },
    passed: 'Controles superados',
    notPassed: 'Controles no superados',
    heads: {
      of: 'De',
      gate: 'Control',
      level: 'Nivel',
      expected: 'Esperado',
      found: 'Hallado',
      verdict: 'Veredicto',
    },
    owners: { scenario: '', comparison: 'comparación ', backtest: 'prueba retrospectiva ' },
    more: 'más figuran en manifest.json',
    nothing: 'nada que evaluar',
    otherwise: 'el manifiesto dice otra cosa',
    notSelected: 'no seleccionado en esta ejecución',
    ok: 'superado',
    failed: 'no superado',
    warning: 'aviso',
  },
  replicates: {
    none: (scenario) => said`${scenario}: ninguna réplica tiene resultado.`,
    together: (scenario, known, all, names) => {
      const of = plural(all, 'réplica', 'réplicas')
      return said`${scenario} reúne ${known === all ? of : `${known} de ${of}`}: ${names}.`
    },
    spread: (figures) =>
      said` De una réplica a otra, la diferencia varía en (desviación típica): ${figures}. Esto mide el ruido de generación, no el muestreo de los datos de origen.`,
  },
  distances: {
    title: 'Lo cerca que están las filas de las respuestas',
    atMost: (points) => `como máximo a ${points} puntos; `,
    far: (far, all) => `${count(far)} de ${differences(all)} a más de dos errores estándar`,
    rowsOf: (comparison) => said`Filas de la comparación ${comparison}`,
    heads: {
      differences: 'Diferencias',
      largest: 'Mayor distancia, puntos',
      rms: 'Media cuadrática, errores estándar',
      beyond: 'A más de dos errores estándar',
    },
    note: 'Lo cerca que están las diferencias en las filas generadas de las respuestas. La distancia es la del archivo, no la de las respuestas. El ruido de generación forma parte de ella, por lo que es mayor en archivos de pocas filas. Los segmentos del archivo están menos cerca.',
  },
  leading: {
    of: (comparison, against) => said`${comparison} respecto a ${against}`,
    title: (comparison) => said`Lo que dice ${comparison}`,
  },
}
