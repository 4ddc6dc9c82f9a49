const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A number of bytes as people read it: `1,023 bytes`, `6.5 GiB`, `20 GiB`. */
export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  const text = unit === 0 || Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1)
  return `${text} ${UNITS[unit]}`
}
