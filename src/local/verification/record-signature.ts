import * as fs from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { differs, holds, notChecked } from '../../answers/verification/checks.ts'
import { writeAtomically } from '../../base/atomic-file.ts'
import { readBoundedText } from '../../base/bounded-file.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import type { Check } from '../../records/verification.ts'
import { RECORD_NAME } from '../../runner/files/project-paths.ts'
import { SetupError } from '../setup-error.ts'
import {
  fingerprintOfKey,
  readPrivateKey,
  readPublicKeys,
  SshFault,
  type SshPrivateKey,
  type SshPublicKey,
} from '../signatures/ssh-keys.ts'
import { NAMESPACE, signerOf, signMessage } from '../signatures/ssh-signature.ts'

/** Beside the record, as `ssh-keygen -Y sign` names it. */
export const SIGNATURE_NAME = `${RECORD_NAME}.sig`

/** Keys and signatures are a few hundred bytes; a list may name everybody of a company. */
const MOST_BYTES = 2 ** 20

/** The keys of `--trusted`. @throws SetupError */
export async function readTrusted(path: string): Promise<readonly SshPublicKey[]> {
  return withKeyFile('--trusted', path, readPublicKeys)
}

/** The key of `--sign`. @throws SetupError, which says nothing of the key. */
export async function readSigningKey(path: string): Promise<SshPrivateKey> {
  // As ssh-keygen does: a key that others can read is not secret any more.
  const stats = await fs.stat(resolve(path)).catch(() => null)
  if (stats !== null && stats.uid === process.getuid?.() && (stats.mode & 0o077) !== 0)
    throw new SetupError(2, `--sign ${escapeText(path)}: it can be read by others`, 'Make the file private: chmod 600.')
  return withKeyFile('--sign', path, readPrivateKey)
}

async function withKeyFile<T>(option: string, path: string, read: (text: string) => T): Promise<T> {
  try {
    return read(await readBoundedText(fs, resolve(path), MOST_BYTES))
  } catch (error) {
    if (!(error instanceof SshFault || error instanceof WhatifError)) throw error
    const hint =
      option === '--sign' && error instanceof SshFault
        ? `Unprotected Ed25519 keys are read. With any other key of SSH: ssh-keygen -Y sign -n ${NAMESPACE} -f KEY ${RECORD_NAME}`
        : null
    throw new SetupError(2, `${option} ${escapeText(path)}: ${error.message}`, hint)
  }
}

/**
 * Checks the signature beside a record.
 *
 * @param text of the record; null: there is none.
 * @param trusted null: every key that made a signature is named, and none is trusted.
 */
export async function checkSignature(
  folder: string,
  text: string | null,
  trusted: readonly SshPublicKey[] | null,
): Promise<Check[]> {
  const fault = (why: string) => [differs('signature', SIGNATURE_NAME, why)]
  if (text === null) return trusted === null ? [] : fault('there is no record that could be signed')
  let signature: string
  try {
    await fs.lstat(join(folder, SIGNATURE_NAME))
    signature = await readBoundedText(fs, join(folder, SIGNATURE_NAME), MOST_BYTES)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return trusted === null ? [] : fault('the record is not signed')
    return fault((error as Error).message)
  }
  try {
    const signer = signerOf(Buffer.from(text), signature)
    const name = fingerprintOfKey(signer)
    if (trusted === null)
      return [notChecked('signature', SIGNATURE_NAME, `made by the key ${name}; --trusted KEY says whose keys count`)]
    return trusted.some(({ blob }) => blob.equals(signer.blob))
      ? [holds('signature', SIGNATURE_NAME, `the record is signed by the trusted key ${name}`)]
      : fault(`it was made by the key ${name}, which is not trusted`)
  } catch (error) {
    if (error instanceof SshFault) return fault(error.message)
    throw error
  }
}

/** Writes the signature of a record beside it. Returns its path. */
export async function signRecord(folder: string, text: string, key: SshPrivateKey): Promise<string> {
  const path = join(folder, SIGNATURE_NAME)
  await writeAtomically(fs, path, signMessage(Buffer.from(text), key))
  return path
}
