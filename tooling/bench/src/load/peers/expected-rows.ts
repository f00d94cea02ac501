/** @module The right answers of the workloads, computed without a database. */
import { orderRow, owner, pageSize, sizes, type WorkloadName } from '../workloads.ts'
import type { Params, Row } from './peer.ts'

/** The rows that the measured caller may see of a read. */
export function expectedRows(workload: WorkloadName, [key = 0]: Params): readonly Row[] {
  switch (workload) {
    case 'W1':
      return ownOrders.filter(({ id }) => id === key).map(pointOf)
    case 'W2':
      return ownOrders.filter(({ id }) => id > Number(key)).slice(0, pageSize)
    case 'W4':
      return [...Map.groupBy(ownOrders, ({ status }) => status)]
        .map(([status, orders]) => ({
          status,
          count: orders.length,
          sum: orders.reduce((sum, { total_cents }) => sum + total_cents, 0),
        }))
        .toSorted((left, right) => (left.status < right.status ? -1 : 1))
    default:
      throw new Error(`${workload} reads nothing`)
  }
}

/**
 * Compares rows with the expected ones, in the same order. Libraries write numbers as numbers or texts, and timestamps with
 * more or less at their end.
 */
export function isSame(rows: readonly Row[], expected: readonly Row[]): boolean {
  return (
    rows.length === expected.length &&
    expected.every((row, i) =>
      Object.entries(row).every(([column, value]) => isSameValue(rows[i]?.[column], value)),
    )
  )
}

function isSameValue(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'number') return value !== null && Number(value) === expected
  const isTimestamp = typeof expected === 'string' && /^\d{4}-.*:/.test(expected)
  return isTimestamp ? String(value).startsWith(expected) : value === expected
}

const orderOf = (key: number) => {
  const [id, of, status, cents, freight, date, ship_city, is_gift] = orderRow(key)
  const order_date = String(date).replace(' ', 'T')
  const total_cents = Number(cents)
  return {
    id: Number(id),
    owner: of,
    status: String(status),
    total_cents,
    freight,
    order_date,
    ship_city,
    is_gift,
  }
}

const pointOf = ({ owner: _, is_gift: __, ...point }: ReturnType<typeof orderOf>) => point

const ownOrders = Array.from({ length: sizes.own * (sizes.others + 1) }, (_, i) =>
  orderOf(i + 1),
).filter((order) => order.owner === owner)
