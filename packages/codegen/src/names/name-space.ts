/** Assigns names, each once. */
export interface NameSpace {
  /** Returns the first of `wanted` that is free, else the last of them with a number appended. */
  take(...wanted: readonly [string, ...string[]]): string
  /** Takes `wanted` and the name that begins with it and ends in `suffix`; appends a number where one of them is not free. */
  takeWith(wanted: string, suffix: string): string
}

/** @param taken names that are never assigned. */
export function createNameSpace(taken: Iterable<string>): NameSpace {
  const used = new Set(taken)
  return {
    take: (...wanted) => {
      const last = wanted.at(-1) ?? wanted[0]
      let name = wanted.find((candidate) => !used.has(candidate))
      for (let number = 2; name === undefined; number += 1) {
        if (!used.has(`${last}${number}`)) name = `${last}${number}`
      }
      used.add(name)
      return name
    },
    takeWith: (wanted, suffix) => {
      let name = wanted
      for (let number = 2; used.has(name) || used.has(name + suffix); number += 1) {
        name = `${wanted}${number}`
      }
      used.add(name).add(name + suffix)
      return name
    },
  }
}
