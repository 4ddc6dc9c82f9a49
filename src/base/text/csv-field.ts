/**
 * Quotes a field that contains the delimiter, a quote or a line end, or begins or ends with a blank (RFC 4180, section
 * 2).
 */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
