/**
 * The first `longest` UTF-16 units of a text, without half of a surrogate pair at the end: such a half has no UTF-8 and no
 * canonical form, so a manifest that held one could not be digested.
 */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
}
