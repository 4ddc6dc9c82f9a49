/** Encodings of the WHATWG Encoding Standard, without those that decode no text (`replacement`, `x-user-defined`). */
export const ENCODING_NAMES = [
  ...['utf-8', 'utf-16le', 'utf-16be'],
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255'],
  ...['windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'ibm866', 'macintosh', 'x-mac-cyrillic'],
  ...['iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8'],
  ...['iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16'],
  ...['koi8-r', 'koi8-u', 'gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr'],
] as const

/** Labels that people use, and the names that the standard gives them in place of these. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  ...{ ansi: 'windows-1252', 'mac-roman': 'macintosh', macroman: 'macintosh', 'utf-16': 'utf-16le' },
  ...{ cp932: 'shift_jis', cp936: 'gbk', cp949: 'euc-kr', cp950: 'big5', unicode: 'utf-16le' },
  ...{ 'windows-932': 'shift_jis', 'windows-936': 'gbk', 'windows-949': 'euc-kr', 'windows-950': 'big5' },
}

/**
 * The standard's name, in lower case, of an encoding that is named by any of its labels (`latin1`, `cp1251`); null for
 * text that names none.
 */
export function encodingName(label: string): string | null {
  const name = label.trim().toLowerCase()
  if ((ENCODING_NAMES as readonly string[]).includes(name)) return name
  try {
    const found = new TextDecoder(name).encoding
    return (ENCODING_NAMES as readonly string[]).includes(found) ? found : null
  } catch {
    return null
  }
}

/** The encoding that a label which is none was probably meant for; null when that is not known. */
export function commonEncoding(label: string): string | null {
  const name = label.trim().toLowerCase().replaceAll('_', '-')
  if (Object.hasOwn(COMMON_NAMES, name)) return COMMON_NAMES[name]!
  const digits = /^(?:code ?page|cp|win|windows|ansi)[- ]?(\d+)$/.exec(name)?.[1]
  return digits === undefined ? null : (encodingName(`windows-${digits}`) ?? COMMON_NAMES[`cp${digits}`] ?? null)
}
