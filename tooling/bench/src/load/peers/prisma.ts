import type { Peer, Row } from './peer.ts'

/** Prisma: the handlers are written by hand, one for each workload. */
export const prisma: Peer = {
  name: 'prisma',
  title: 'Prisma',
  packageName: 'prisma',
  leftOut: {},
  requestOf: (workload, params) => ({ path: `/${workload}`, body: JSON.stringify({ params }) }),
  rowsOf: (workload, answer) => {
    const { rows } = answer as { readonly rows: readonly Row[] }
    return workload === 'W4' ? rows.map(groupRow) : rows
  },
}

/** A row of Prisma's `groupBy`, whose form ZenStack shares. */
export function groupRow(row: Row): Row {
  const { status, _count, _sum } = row as {
    readonly status: string
    readonly _count: { readonly _all: number }
    readonly _sum: { readonly total_cents: string }
  }
  return { status, count: _count._all, sum: _sum.total_cents }
}
