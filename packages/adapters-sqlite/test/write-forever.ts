/** @module A process that writes rows, some at a time, and tells which are done, until it is killed. */
import { sqliteAdapter } from '../src/index.ts'
import { execution, write } from './statements.ts'

const [path = '', last = '0'] = process.argv.slice(2)
const adapter = sqliteAdapter({ url: path })
const insert = write('insert into t (id) values (?1)', ['int4'])

let id = Number(last)
let acknowledged = id
const done = new Set<number>()

/** Tells the last id of which it and all before it are done. */
async function writeOn(): Promise<void> {
  for (;;) {
    id += 1
    const own = id
    await adapter.execute(execution(insert, [`${own}`]))
    done.add(own)
    while (done.delete(acknowledged + 1)) acknowledged += 1
    process.send?.(acknowledged)
  }
}

// Several at a time, so that they share transactions.
await Promise.all(Array.from({ length: 16 }, writeOn))
