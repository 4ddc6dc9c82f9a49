import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, plural, scenarios, tiene } from './numbers.ts'

const fue = (value: number, participle: string): string => (value === 1 ? `fue ${participle}` : `fueron ${participle}s`)

export const ALERTS: Words['alerts'] = {
  trial: (text) => `Esto es un ${text}.`,
  incomplete: 'La ejecución no está completa',
  resultsMayChange: (status) => ` (${status}). Sus resultados pueden cambiar.`,
  ended: {
    failed: (of) => `${scenarios(of)} ${of === 1 ? 'falló' : 'fallaron'}:`,
    refused: (of) => `${scenarios(of)} ${fue(of, 'rechazado')}:`,
    interrupted: (of) => `${scenarios(of)} ${fue(of, 'interrumpido')}:`,
    running: (of) => `${scenarios(of)} ${of === 1 ? 'sigue' : 'siguen'} en curso:`,
    not_started: (of) => `${scenarios(of)} no ${of === 1 ? 'se generó' : 'se generaron'}:`,
  },
  fewerRows: (of) => `${scenarios(of)} ${tiene(of)} menos filas de las solicitadas:`,
  moreMixes: (left) => `El manifiesto tiene ${plural(left, 'combinación cercana más', 'combinaciones cercanas más')}.`,
  rulesBroken: 'Se incumplen reglas',
  rulesBrokenIn: (strong, scenario, what) => said`${strong} en ${scenario}: ${what}.`,
  gateFailed: 'Control no superado:',
  gateFailedInTrial: 'Control no superado, lo que aquí no cuenta:',
  gate: (head, of, gate, expected, found) => said`${head} ${of}, ${gate}: se esperaba ${expected}, se halló ${found}.`,
  warnings: (gates) => `${plural(gates, 'control', 'controles')} de nivel aviso sin superar.`,
  notInData: () => 'No comparado, porque los datos no lo contienen:',
  thinEvidence: 'Evidencia débil:',
  thinSupport: (head, names) => said`${head} pocas filas de los datos de origen apoyan ${names}.`,
  list: (head, what) => said`${head} ${what}.`,
  more: {
    reasons: (left) => `${plural(left, 'motivo más', 'motivos más')}: véanse las tablas más abajo.`,
    scenarios: (left) => `${plural(left, 'escenario más', 'escenarios más')}: véanse las tablas más abajo.`,
    gates: (left) =>
      `${plural(left, 'control no superado más', 'controles no superados más')}: véanse las tablas más abajo.`,
  },
  ofRows: (counted, requested) => `(${count(counted)} de ${count(requested)})`,
}
