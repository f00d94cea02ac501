import type {} from '@engine/adapters-sqlite'
import { createEngine } from '@engine/core'

// The engine finds the adapter because it is installed next to it.
const engine = await createEngine({ connections: { main: { url: 'shop.db', create: true } } })
const { body } = await engine.query(
  { sql: 'select $1::int + 1', params: [41], method: 'get', meta: false, signal: undefined },
  { kind: 'anonymous', roles: ['anonymous'], fields: {} },
)
console.log(body.toString())
await engine.close()
