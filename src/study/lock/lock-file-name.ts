/** The lock's file name: that of the study with its last extension replaced: studies in one folder have locks of their own. */
export function lockFileName(studyFileName: string): string {
  return `${studyFileName.replace(/(?<=[^/\\])\.[^./\\]*$/, '')}.lock.json`
}
