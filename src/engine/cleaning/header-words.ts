/** The words of a header in lower case: `RespondentID`, `user_id` and `Phone number` have two each. */
export function headerWords(header: string): string[] {
  return header
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
}
