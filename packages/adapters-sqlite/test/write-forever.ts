/** @module A process that writes one row after the other and says which are done, until it is killed. */
import { sqliteAdapter } from '../src/index.ts'
import { execution, write } from './statements.ts'

const [path = '', last = '0'] = process.argv.slice(2)
const adapter = sqliteAdapter({ url: path })
const insert = write('insert into t (id) values (?1)', ['int4'])

for (let id = Number(last) + 1; ; id += 1) {
  await adapter.execute(execution(insert, [`${id}`]))
  process.send?.(id)
}
