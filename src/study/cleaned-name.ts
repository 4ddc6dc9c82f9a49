/** As cleaning writes names: runs of anything but letters, digits and dots become one dot. */
export function cleanedName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{Nd}.]+/gu, '.')
    .replace(/^\.+|\.+$/g, '')
}
