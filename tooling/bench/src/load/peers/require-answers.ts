/** @module What a peer answers before it is measured: the caller's rows, no row of others, and nothing without a valid token. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { MeasuredDatabase } from '../databases.ts'
import type { MeasuredServer } from '../measured-server.ts'
import { secret, signToken } from '../setups.ts'
import { orderRow, owner, type Workload } from '../workloads.ts'
import { expectedRows, isSame } from './expected-rows.ts'
import type { Params, Peer, Row } from './peer.ts'

/** A key of another owner: the one after the first of the caller. */
const otherKey = 8
const otherOwner = String(orderRow(otherKey)[1])

/** @throws {Error} for any other answer. */
export async function requireAnswers(
  database: MeasuredDatabase,
  server: MeasuredServer,
  peer: Peer,
  workload: Workload,
): Promise<void> {
  const ask = createQuestions(server, peer, workload, await signToken(secret))
  const askWithForgedToken = createQuestions(
    server,
    peer,
    workload,
    await signToken(randomBytes(32).toString('base64url')),
  )
  const [params = []] = workload.params
  if (workload.name === 'W3') {
    await ask.requires(params, (rows) => isOwnNote(rows, params))
    await ask.requires([otherOwner, 'Not mine.'], isEmpty)
    await askWithForgedToken.requires(params, isEmpty)
    await requireOwnNotes(database, peer)
    return
  }
  for (const each of [params, workload.params.at(-1) ?? []]) {
    const expected = expectedRows(workload.name, each)
    if (expected.length !== workload.rows) throw new Error(`${workload.name} expects other rows`)
    await ask.requires(each, (rows) => isSame(rows, expected))
  }
  if (workload.name === 'W1') await ask.requires([otherKey], isEmpty)
  await askWithForgedToken.requires(params, isEmpty)
}

const isEmpty = (rows: readonly Row[]) => rows.length === 0

/** With the columns that the database has filled in. */
function isOwnNote(rows: readonly Row[], [owner, body]: Params): boolean {
  const [note = {}] = rows
  const filledIn = typeof note['id'] === 'number' && typeof note['created_at'] === 'string'
  return filledIn && isSame(rows, [{ owner, body, priority: 0, is_pinned: false }])
}

function createQuestions(
  server: MeasuredServer,
  peer: Peer,
  { name }: Workload,
  token: string,
): { requires(params: Params, isRight: (rows: readonly Row[]) => boolean): Promise<void> } {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return {
    requires: async (params, isRight) => {
      const { path, body } = peer.requestOf(name, params)
      const response = await fetch(`${server.url}${path}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body }),
      })
      const text = await response.text()
      const rows = response.ok ? peer.rowsOf(name, JSON.parse(text)) : []
      if (isRight(rows)) return
      const question = `${name} with ${JSON.stringify(params)}`
      throw new Error(`${peer.title} answers ${question}: ${response.status} ${text.slice(0, 300)}`)
    },
  }
}

/** A refused row is not written, an accepted one is. */
async function requireOwnNotes({ url }: MeasuredDatabase, { title }: Peer): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ owner: string }>('select distinct owner from notes')
  await client.end()
  const owners = rows.map((row) => row.owner)
  if (owners.join() !== owner) throw new Error(`${title} has written notes of ${owners}`)
}
