/** One thing that is wrong in a configuration, and where. */
export interface Fault {
  /** `permissions.orders-of-customer.select.where.custmer_id` */
  readonly path: string
  readonly message: string
}

/** Collects faults so that a user sees all of them at once. */
export interface Faults {
  readonly list: readonly Fault[]
  add(path: string, message: string): void
}

export function createFaults(): Faults {
  const list: Fault[] = []
  return { list, add: (path, message) => void list.push({ path, message }) }
}

/** `did you mean "orders"?` when a name is close to a known one, else an empty text. */
export function suggestion(name: string, known: Iterable<string>): string {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(name, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === undefined ? '' : `; did you mean "${best}"?`
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
