import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, differences, rows, scenarios, tiene } from './numbers.ts'

export const FIRST_SCREEN: Words['firstScreen'] = {
  title: 'Respuesta',
  delivered: (ready, all, delivered) => {
    const which =
      all === 1 && ready === 1
        ? 'El escenario tiene'
        : ready === all
          ? `Los ${count(all)} escenarios tienen`
          : `${count(ready)} de ${scenarios(all)} ${tiene(ready)}`
    return `${which} las filas solicitadas: ${rows(delivered)} en total.`
  },
  noneWithInterval: (total, against) => {
    const from = against === null ? '' : said`${' respecto a '}${against}`
    return total === 1
      ? said` La diferencia${from} no tiene un intervalo válido para la población.`
      : said` Ninguna de las ${differences(total)}${from} tiene un intervalo válido para la población.`
  },
  oneDifference: (isBeyond, against) =>
    said` La diferencia${against === null ? '' : said`${' respecto a '}${against}`} ${isBeyond ? 'está más allá del azar' : 'es compatible con el azar'}.`,
  differences: ({ beyond, total, unknown, against }) => {
    const from = against === null ? '' : said`${' respecto a '}${against}`
    const others = unknown === 0 ? '' : ` En ${count(unknown)} de ellas se desconoce el papel del azar.`
    return beyond === total
      ? said` Las ${count(total)} diferencias${from} están más allá del azar.${others}`
      : beyond === 0
        ? said` Ninguna de las ${count(total)} diferencias${from} está más allá del azar.${others}`
        : said` ${count(beyond)} de las ${count(total)} diferencias${from} ${beyond === 1 ? 'está' : 'están'} más allá del azar.${others}`
  },
  pooled: (text) => ` ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`,
  pooledIn: (comparison, text) => ` En ${comparison}, ${text}.`,
  sentence: (of) => said` ${of}.`,
  from: (against) => said`respecto a ${against}`,
  fromInRows: (against, where, seedRows) =>
    said`respecto a ${against}, en las filas con ${where}${seedRows === null ? '' : ` (${seedRows})`}`,
  captionFrom: (against) => `Diferencias respecto a ${against} con intervalos del 95 %, las mayores primero.`,
  captionFromAll: 'Diferencias respecto a su referencia con intervalos del 95 %, las mayores primero.',
  captionJudged:
    ' Cada intervalo vale por sí mismo; si una diferencia está más allá del azar se juzga sobre todas las preguntas del estudio.',
  captionChance: (chance, known) =>
    ` Si ninguna diferencia fuera real, unas ${count(chance)} de ${count(known)} estarían más allá del azar.`,
  captionShown: (shown, total, kind) => ` Se muestran ${count(shown)} de ${count(total)}: ${kind}.`,
  kinds: {
    unknown: 'las más fuertes; se desconoce el papel del azar',
    noneBeyond: 'las más fuertes; ninguna está más allá del azar',
    strongestBeyond: 'las más fuertes de las que están más allá del azar',
    beyond: 'las que están más allá del azar',
  },
  withinOrNotKnown: 'compatible con el azar o desconocido',
  thinSupport: 'apoyo débil',
  noiseOnly: 'solo ruido de generación',
  or: ', o ',
  differencesTable: 'Diferencias',
  inPoints: ', puntos',
  shares: 'Porcentajes: diferencia en puntos',
  numbers: (outcome, inDays) =>
    `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}: diferencia${inDays ? ' en días' : ''}`,
  less: 'menos',
  more: 'más',
  sides: 'referencia → escenario',
  difference: 'diferencia',
  shortDifference: 'dif.',
  tip: (scenario, parts) => `${scenario}. ${parts}`,
  intervalOf: (interval) => `intervalo del 95 % de ${interval}`,
  generated: 'Lo que se generó',
  conditions: 'Condiciones',
  rows: 'Filas',
  askedFor: 'Solicitado',
  moreScenarios: 'escenarios más figuran en Procedencia',
  none: 'ninguna',
  moreConditions: (left) => `; ${left} más`,
}
