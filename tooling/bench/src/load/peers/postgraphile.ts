import { pageSize } from '../workloads.ts'
import type { Params, Peer, Row } from './peer.ts'

/** PostGraphile: GraphQL, pages by cursor. */
export const postgraphile: Peer = {
  name: 'postgraphile',
  title: 'PostGraphile',
  packageName: 'postgraphile',
  leftOut: { W4: 'it has no aggregates without a plugin' },
  requestOf: (workload, params) => {
    if (workload === 'W4') throw new Error('PostGraphile has no aggregates')
    return { path: '/graphql', body: JSON.stringify(requests[workload](params)) }
  },
  rowsOf: (_, answer) => {
    const { data } = answer as { readonly data: Data | null }
    const row = data?.order ?? data?.created?.note
    return data?.page?.nodes ?? (row ? [row] : [])
  },
}

/** Of an answer: the part that the request names. */
interface Data {
  readonly order?: Row | null
  readonly page?: { readonly nodes: readonly Row[] } | null
  readonly created?: { readonly note: Row | null } | null
}

const point =
  'id: rowId status total_cents: totalCents freight order_date: orderDate ship_city: shipCity'

const requests: Readonly<Record<'W1' | 'W2' | 'W3', (params: Params) => GraphqlRequest>> = {
  W1: ([id]) => ({
    query: `query ($id: Int!) { order: orderByRowId(rowId: $id) { ${point} } }`,
    variables: { id },
  }),
  W2: ([after]) => ({
    query: `query ($after: Cursor!) {
      page: allOrders(after: $after, first: ${pageSize}, orderBy: [PRIMARY_KEY_ASC]) {
        nodes { ${point} owner is_gift: isGift }
      }
    }`,
    variables: { after: cursorAt(after) },
  }),
  W3: ([owner, body]) => ({
    query: `mutation ($note: NoteInput!) {
      created: createNote(input: { note: $note }) {
        note { id: rowId owner body priority is_pinned: isPinned created_at: createdAt }
      }
    }`,
    variables: { note: { owner, body } },
  }),
}

interface GraphqlRequest {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** The cursor of an order in a list by primary key. PostGraphile's digest of that list comes before the key. */
function cursorAt(key: unknown): string {
  return btoa(JSON.stringify(['174cba311d', key]))
}
