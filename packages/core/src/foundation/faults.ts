import { closestName } from './closest-name.ts'

/** One fault of a configuration, with its path. */
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
  const best = closestName(name, known)
  return best === undefined ? '' : `; did you mean "${best}"?`
}
