import { isIP } from 'node:net'

/** Maximum number of addresses that are remembered, and characters of one: clients choose some of these texts. */
const most = { addresses: 1_000, characters: 64 }

/** The same clients send request after request: their addresses are read once, until there are too many others. */
function remembered<Result>(read: (address: string) => Result): (address: string) => Result {
  const known = new Map<string, Result>()
  return (address) => {
    const found = known.get(address)
    if (found !== undefined) return found
    const result = read(address)
    if (address.length > most.characters) return result
    if (known.size >= most.addresses) known.clear()
    known.set(address, result)
    return result
  }
}

/** The key of all clients whose address is unknown. */
const unknown = 'unknown'

/**
 * The key that counts an address: IPv4 unchanged; IPv6 by its first 64 bits, `2001:db8:0:1::/64`, since one subscriber has all
 * addresses with these bits; `unknown` without a valid address.
 */
export function addressKey(address: string | undefined): string {
  return address === undefined ? unknown : keyOf(address)
}

const keyOf = remembered((address: string): string => {
  const canonical = canonicalAddress(address)
  if (canonical === undefined) return unknown
  if (isIP(canonical) === 4) return canonical
  const network = groupsOf(canonical).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
})

/** An IPv4 address in IPv6 notation (`::ffff:10.0.0.1`) becomes IPv4, a zone (`%eth0`) is left out; undefined: not an address. */
export const canonicalAddress: (text: string) => string | undefined = remembered((text) => {
  const [address = ''] = text.split('%')
  const version = isIP(address)
  if (version === 0) return undefined
  if (version === 4) return address
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return address.toLowerCase()
})

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...found: readonly string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = found.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [before = '', after] = hex.split('::')
  const head = numbersOf(before)
  if (after === undefined) return head
  const tail = numbersOf(after)
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function numbersOf(part: string): readonly number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
}
