import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count, rows, scenarios } from './numbers.ts'

export const RECORD: Words['record'] = {
  page: {
    about: 'étude de scénarios',
    skip: 'Aller à la réponse',
    contents: 'Sommaire',
    noNetwork: 'Ce fichier n’a pas besoin de réseau.',
    madeBy: (tool, digest) => said`Produit par whatif ${tool} à partir d’un manifeste dont l’empreinte est ${digest}.`,
    figures: 'Chiffres',
    savePicture: 'Enregistrer l’image en SVG',
  },
  findings: {
    title: 'Observations',
    more: (left, file) => said`${String(left)} de plus figurent dans ${file}.`,
  },
  provenance: {
    title: 'Provenance',
    toCite: 'Pour citer',
    toRepeat: 'Pour répéter',
    citation: ({ study, run, ended, tool, digest, studyDigest }) =>
      said`${study} : étude de scénarios sur données synthétiques. Exécution ${run}, ${ended === null ? 'non terminée' : `terminée ${ended}`}, whatif ${tool}. Empreinte du manifeste ${digest}${studyDigest === null ? '' : said`${', empreinte de l’étude '}${studyDigest}`}.`,
    repeat: (file, hasChanges, command) =>
      said`Le manifeste ne nomme pas le fichier de l’étude ; il s’appelle d’ordinaire ${file}. La même étude, les mêmes fichiers d’origine, les mêmes graines et le même moteur donnent les mêmes lignes. ${hasChanges ? 'Des fichiers sous gestion de versions avaient des modifications que le commit ne contient pas. ' : ''}${command} compare les manifestes de deux exécutions.`,
    run: 'Exécution',
    data: 'Données et modèles',
    results: 'Résultats',
    scenarios,
    exitCode: (code, reasons) => `, code de sortie ${code} (${reasons})`,
    notYet: 'pas encore',
    uncommitted: ', avec des modifications non enregistrées',
    noFile: 'aucun : un jeu de données du service',
    terms: {
      run: 'Exécution',
      endedAs: 'Terminée comme',
      started: 'Début',
      ended: 'Fin',
      service: 'Service',
      commit: 'Commit',
      scope: 'Portée',
      manifestDigest: 'Empreinte du manifeste',
      studyDigest: 'Empreinte de l’étude',
      dataset: 'Jeu de données',
      seedFile: 'Fichier d’origine',
      sha256: 'Son SHA-256',
      fingerprint: 'Signature',
      schema: 'Schéma nettoyé',
      model: 'Modèle',
      trained: 'Entraîné',
    },
    heads: {
      scenario: 'Scénario',
      status: 'État',
      askedFor: 'Demandé',
      rows: 'Lignes',
      fill: 'Taux',
      seed: 'Graine',
      file: 'Fichier',
    },
  },
  markdown: {
    cite: ({ digest, studyDigest, run, ended, tool }) =>
      said`Pour citer : empreinte du manifeste ${digest}${studyDigest === null ? '' : said`${', empreinte de l’étude '}${studyDigest}`}. Exécution ${run}, terminée ${ended}, whatif ${tool}.`,
    ready: (ready, all) => `${count(ready)} sur ${scenarios(all)} prêts`,
    rows: (delivered, requested) => `${count(delivered)} sur ${rows(requested)}`,
    run: (status, end, parts) => said`Exécution ${status}${end} : ${parts}.`,
    exitCode: (code, reasons) => said`, code de sortie ${String(code)} (${reasons})`,
  },
}
