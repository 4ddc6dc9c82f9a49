/** Whether an `If-None-Match` names this version (RFC 9110, 13.1.2: weak comparison). */
export function namesVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag
  })
}
