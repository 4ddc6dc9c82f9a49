/** Why a file cannot be opened, by the code of the system's error. */
export function fileFaultText(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  return code === 'EISDIR' ? 'it is a folder' : `it cannot be read (${code})`
}
