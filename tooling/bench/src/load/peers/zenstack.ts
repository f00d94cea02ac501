import type { LoadRequest } from '../send-requests.ts'
import { pageSize, type WorkloadName } from '../workloads.ts'
import type { Params, Peer, Row } from './peer.ts'
import { groupRow } from './prisma.ts'

/** ZenStack: its RPC interface, which has reads as GET requests. */
export const zenstack: Peer = {
  name: 'zenstack',
  title: 'ZenStack',
  packageName: '@zenstackhq/orm',
  leftOut: {},
  requestOf: (workload, params) => requests[workload](params),
  rowsOf: (workload, answer) => {
    const { data } = answer as { readonly data: Row | readonly Row[] | null }
    const rows = data === null ? [] : [data].flat()
    return workload === 'W4' ? rows.map(groupRow) : rows
  },
}

const point = {
  id: true,
  status: true,
  total_cents: true,
  freight: true,
  order_date: true,
  ship_city: true,
}

const requests: Readonly<Record<WorkloadName, (params: Params) => LoadRequest>> = {
  W1: ([id]) => read('order/findUnique', { where: { id }, select: point }),
  W2: ([after]) =>
    read('order/findMany', {
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: pageSize,
    }),
  W3: ([owner, body]) => ({
    path: '/rpc/note/create',
    body: JSON.stringify({ data: { owner, body } }),
  }),
  W4: () =>
    read('order/groupBy', {
      by: ['status'],
      _count: { _all: true },
      _sum: { total_cents: true },
      orderBy: { status: 'asc' },
    }),
}

function read(operation: string, query: object): LoadRequest {
  const text = encodeURIComponent(JSON.stringify(query))
  return { path: `/rpc/${operation}?q=${text}`, body: undefined }
}
