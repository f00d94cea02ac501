/** @module What each caller may see of the measured orders, computed without a database. */
import { orderRow, owner, sizes } from '../load/workloads.ts'

export interface Order {
  readonly id: number
  readonly owner: string
  readonly status: string
  /** A bigint is a text in an answer. */
  readonly totalCents: string
  readonly freight: string
  readonly orderDate: string
  readonly shipCity: string | null
  readonly isGift: boolean
}

/** The owners of rows; `callers[0]` is the measured one. */
export const callers: readonly string[] = [
  owner,
  ...Array.from({ length: sizes.others + 1 }, (_, i) => `tenant ${i}`).filter(
    (name) => name !== 'tenant 7',
  ),
]

const orders: readonly Order[] = Array.from({ length: sizes.own * (sizes.others + 1) }, (_, i) =>
  orderOf(i + 1),
)

const byOwner: ReadonlyMap<string, readonly Order[]> = Map.groupBy(orders, (order) => order.owner)

/** By their keys. */
export function ordersOf(caller: string): readonly Order[] {
  const own = byOwner.get(caller)
  if (own === undefined) throw new Error(`there are no orders of ${caller}`)
  return own
}

function orderOf(key: number): Order {
  const [id, of, status, cents, freight, date, city, isGift] = orderRow(key)
  return {
    id: Number(id),
    owner: String(of),
    status: String(status),
    totalCents: String(cents),
    freight: Number(freight).toFixed(2),
    orderDate: String(date),
    shipCity: city === null || city === undefined ? null : String(city),
    isGift: isGift === true,
  }
}
