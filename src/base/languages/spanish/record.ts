import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, rows, scenarios } from './numbers.ts'

export const RECORD: Words['record'] = {
  page: {
    about: 'estudio de escenarios',
    skip: 'Ir a la respuesta',
    contents: 'Contenido',
    noNetwork: 'Este archivo no necesita red.',
    madeBy: (tool, digest) => said`Hecho por whatif ${tool} a partir de un manifiesto con la huella ${digest}.`,
    figures: 'Cifras',
    savePicture: 'Guardar la imagen como SVG',
  },
  findings: {
    title: 'Observaciones',
    more: (left, file) => said`${String(left)} más figuran en ${file}.`,
  },
  provenance: {
    title: 'Procedencia',
    toCite: 'Para citar',
    toRepeat: 'Para repetir',
    citation: ({ study, run, ended, tool, digest, studyDigest }) =>
      said`${study}: estudio de escenarios con datos sintéticos. Ejecución ${run}, ${ended === null ? 'sin terminar' : `terminada ${ended}`}, whatif ${tool}. Huella del manifiesto ${digest}${studyDigest === null ? '' : said`${', huella del estudio '}${studyDigest}`}.`,
    repeat: (file, hasChanges, command) =>
      said`El manifiesto no nombra el archivo del estudio; suele llamarse ${file}. El mismo estudio, los mismos archivos de origen, las mismas semillas y el mismo motor dan las mismas filas. ${hasChanges ? 'Había archivos bajo control de versiones con cambios que el commit no tiene. ' : ''}${command} compara los manifiestos de dos ejecuciones.`,
    run: 'Ejecución',
    data: 'Datos y modelos',
    results: 'Resultados',
    scenarios,
    exitCode: (code, reasons) => `, código de salida ${code} (${reasons})`,
    notYet: 'todavía no',
    uncommitted: ', con cambios sin confirmar',
    noFile: 'ninguno: un conjunto de datos del servicio',
    terms: {
      run: 'Ejecución',
      endedAs: 'Terminada como',
      started: 'Inicio',
      ended: 'Fin',
      service: 'Servicio',
      commit: 'Commit',
      scope: 'Ámbito',
      manifestDigest: 'Huella del manifiesto',
      studyDigest: 'Huella del estudio',
      dataset: 'Conjunto de datos',
      seedFile: 'Archivo de origen',
      sha256: 'Su SHA-256',
      fingerprint: 'Identificador',
      schema: 'Esquema limpio',
      model: 'Modelo',
      trained: 'Entrenado',
    },
    heads: {
      scenario: 'Escenario',
      status: 'Estado',
      askedFor: 'Solicitado',
      rows: 'Filas',
      fill: 'Cumplido',
      seed: 'Semilla',
      file: 'Archivo',
    },
  },
  markdown: {
    cite: ({ digest, studyDigest, run, ended, tool }) =>
      said`Para citar: huella del manifiesto ${digest}${studyDigest === null ? '' : said`${', huella del estudio '}${studyDigest}`}. Ejecución ${run}, terminada ${ended}, whatif ${tool}.`,
    ready: (ready, all) => `${count(ready)} de ${scenarios(all)} listos`,
    rows: (delivered, requested) => `${count(delivered)} de ${rows(requested)}`,
    run: (status, end, parts) => said`Ejecución ${status}${end}: ${parts}.`,
    exitCode: (code, reasons) => said`, código de salida ${String(code)} (${reasons})`,
  },
}
