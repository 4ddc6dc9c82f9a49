// Figures of the open peers, from the file next to the shared bench. Read, never measured here.
import { readFile } from 'node:fs/promises'

/** Reference points, not engines: the training rows themselves, and every column shuffled on its own. */
export const REFERENCES = ['train_copy', 'independent']

/** The peer that our figures must surpass. */
export const BEST_PEER = 'synthpop_cart'

/**
 * @param {string | null} path Null where there is no such file.
 * @returns {Promise<Record<string, Record<string, any>>>} Dataset → engine → its record, as `run_all.py` writes it.
 */
export async function readPeers(path) {
  return path === null ? {} : JSON.parse(await readFile(path, 'utf8'))
}

/**
 * @param {Record<string, any>} engines Of one dataset.
 * @returns {[name: string, record: any][]} The reference points left out.
 */
export function openPeers(engines) {
  return Object.entries(engines).filter(([name]) => !REFERENCES.includes(name))
}
