import { isIP } from 'node:net'

/**
 * What stands for one peer when addresses are counted or compared: an IPv4 address as it is, of an IPv6 address the
 * first 64 bits, because one host changes the others as it likes (RFC 8981). Other text is returned as it is.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/s, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.split('::')
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Groups of 16 bits; an IPv4 address at the end is two of them, whose value nobody here looks at. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
