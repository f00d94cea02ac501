import type { Method } from '@engine/contract'
import type { OutputColumn } from '../../compiler/bind/tree/bound-query.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { ResultSet } from '../adapter/adapter.ts'

/** A response body: JSON as text or as UTF-8 bytes. */
export type JsonBody = string | Uint8Array

/** The body of the answer to one statement: `{"rows":…}`, with columns and counts when `meta` is requested. */
export function serialize(result: ResultSet, method: Method, meta: string | undefined): JsonBody {
  const { rows } = result
  const [open, close] = method === 'get' ? ['', ''] : ['[', ']']
  const end = meta === undefined ? '}' : metaEnd(meta, result)
  if (method === 'run') return `{"rows":[]${end}`
  if (method === 'get' && rows.length === 0) return `{"rows":null${end}`
  if (typeof rows === 'string') return `{"rows":${open}${rows}${close}${end}`
  return Buffer.concat([Buffer.from(`{"rows":${open}`), rows, Buffer.from(`${close}${end}`)])
}

function metaEnd(columns: string, { rowCount, truncated }: ResultSet): string {
  return `,"columns":${columns},"rowCount":${rowCount},"truncated":${truncated}}`
}

/** The `columns` of a `meta` answer as JSON text; computed once for each plan. */
export function columnsJson(columns: readonly OutputColumn[], types: TypeSystem): string {
  return JSON.stringify(
    columns.map(({ name, type }) => ({ name, type: types.formatType(type.oid, type.typmod) })),
  )
}

/** `{"results":[…]}` of a batch. */
export function serializeBatch(bodies: readonly JsonBody[]): JsonBody {
  if (bodies.every((body) => typeof body === 'string')) return `{"results":[${bodies.join(',')}]}`
  const parts: Uint8Array[] = [Buffer.from('{"results":[')]
  for (const [i, body] of bodies.entries()) {
    if (i > 0) parts.push(Buffer.from(','))
    parts.push(typeof body === 'string' ? Buffer.from(body) : body)
  }
  parts.push(Buffer.from(']}'))
  return Buffer.concat(parts)
}
