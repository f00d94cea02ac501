/** @module A process that inserts one row after the other and prints those that are done, until it is killed. */
import { createEngine } from '@engine/core'
import { connect } from '../src/index.ts'

const [directory = '', last = '0'] = process.argv.slice(2)
const engine = await createEngine(
  { connections: { files: { directory, writable: true } } },
  { adapters: { '@engine/adapters-csv': connect } },
)
const sql = 'insert into files.t (id, note) values ($1, $2)'
for (let id = Number(last) + 1; ; id += 1) {
  const request = { sql, params: [id, `note ${id}`], method: 'run', meta: false } as const
  await engine.query(
    { ...request, signal: undefined },
    { kind: 'anonymous', roles: ['anonymous'], fields: {} },
  )
  process.send?.(id)
}
