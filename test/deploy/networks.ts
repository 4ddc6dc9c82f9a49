import { execFileSync } from 'node:child_process'

const ip = (...args: readonly string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' })

/** Addresses of a subnet such as 172.31.250.0/28, the first and the last excluded. */
function addressesIn(range: string): string[] {
  const [first, bits] = range.split('/')
  const number = String(first)
    .split('.')
    .reduce((sum, part) => sum * 256 + Number(part), 0)
  return Array.from({ length: 2 ** (32 - Number(bits)) }, (_, i) =>
    [24, 16, 8, 0].map((shift) => ((number + i) >>> shift) & 255).join('.'),
  )
}

interface Network {
  readonly bridge: string
  readonly prefix: string
  /** Those that are given to members without an address of their own; the first free one is next. */
  readonly free: string[]
  readonly taken: Set<string>
  /** Names and addresses of all members. */
  readonly hosts: [name: string, address: string][]
}

/**
 * Bridges of this machine with network namespaces as their members. As Docker's: a member gets the lowest free address of
 * the range, and an address that is taken is refused to the one that asks for it.
 */
export class Networks {
  readonly #label: string
  readonly #networks = new Map<string, Network>()
  readonly #namespaces: string[] = []
  #pairs = 0

  /** Why this machine has no such networks; null where it has. */
  static missing(): string | null {
    const networks = new Networks(`wp${process.pid % 10_000}`)
    try {
      networks.create('tried', '172.31.249.0/29')
      networks.join({ tried: undefined }, ['tried'])
      return null
    } catch (error) {
      return `needs network namespaces: ${String((error as { stderr?: string }).stderr || error).trim()}`
    } finally {
      networks.remove()
    }
  }

  /** `label`: begins the names of interfaces and namespaces; at most 8 characters. */
  constructor(label: string) {
    this.#label = label
  }

  /** @param range the addresses for members that ask for none; left out: all of the subnet. */
  create(name: string, subnet: string, range = subnet): void {
    const bridge = `${this.#label}b${this.#networks.size}`
    const prefix = String(subnet.split('/')[1])
    const [, gateway, ...others] = addressesIn(subnet).slice(0, -1)
    const inRange = new Set(addressesIn(range))
    ip('link', 'add', bridge, 'type', 'bridge')
    const free = others.filter((address) => inRange.has(address))
    this.#networks.set(name, { bridge, prefix, free, taken: new Set([String(gateway)]), hosts: [] })
    ip('address', 'add', `${gateway}/${prefix}`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
  }

  /**
   * A namespace that is a member of networks, under names. `attached`: the networks, and an address of its own where it has
   * one. Returns its place and who its neighbours are; throws where its address is taken.
   */
  join(
    attached: Readonly<Record<string, string | undefined>>,
    names: readonly string[],
  ): { readonly path: string; readonly hosts: readonly string[] } {
    const namespace = `${this.#label}n${this.#namespaces.length}`
    ip('netns', 'add', namespace)
    this.#namespaces.push(namespace)
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
    const hosts: string[] = []
    for (const [i, [name, wanted]] of Object.entries(attached).entries()) {
      const network = this.#networks.get(name) as Network
      hosts.push(...network.hosts.map(([host, address]) => `${host}:${address}`))
      const address = wanted ?? network.free.find((one) => !network.taken.has(one))
      if (address === undefined || network.taken.has(address)) throw new Error(`${names[0]}: ${address} is in use`)
      network.taken.add(address)
      for (const host of names) network.hosts.push([host, address])
      const outer = `${this.#label}v${this.#pairs++}`
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', `eth${i}`, 'netns', namespace)
      ip('link', 'set', outer, 'master', network.bridge, 'up')
      ip('-n', namespace, 'address', 'add', `${address}/${network.prefix}`, 'dev', `eth${i}`)
      ip('-n', namespace, 'link', 'set', `eth${i}`, 'up')
    }
    return { path: `/run/netns/${namespace}`, hosts }
  }

  /** The address under which this machine reaches a member. */
  addressOf(network: string, name: string): string {
    const found = this.#networks.get(network)?.hosts.find(([host]) => host === name)
    if (found === undefined) throw new RangeError(`${name} is not in ${network}`)
    return found[1]
  }

  remove(): void {
    for (const namespace of this.#namespaces.splice(0)) ip('netns', 'delete', namespace)
    for (const { bridge } of this.#networks.values()) ip('link', 'delete', bridge)
    this.#networks.clear()
  }
}
