import { connect as pgConnect } from '@engine/adapters-postgres'
import { connect as sqliteConnect } from '@engine/adapters-sqlite'
import { compareRows } from '@engine/corpus'
import Database from 'better-sqlite3'
import { createRandom } from './random.ts'
import { randomWorld } from './world/random-world.ts'
import { postgresWorld } from './world/postgres-world.ts'
import { loadSqliteWorld } from './world/sqlite-world.ts'
import { createGrammar } from './grammar/create-grammar.ts'
import { statement } from './grammar/statement.ts'
import { printTree } from './tree/tree.ts'
import { openEngine } from './subjects/engine-subject.ts'
import { openDirectSubject } from './subjects/direct-subject.ts'
import { startPostgres } from '@engine/test-databases'
import { mkdtempSync } from 'node:fs'
const server = await startPostgres()
const direct = await openDirectSubject(server.url)
const stats: Record<string, number> = {}
const kinds = new Map<string, [number, string]>()
const bump = (k: string, sql?: string) => { const c = kinds.get(k) ?? [0, sql ?? '']; kinds.set(k, [c[0] + 1, c[1]]) }
const from = Number(process.argv[2] ?? 1), worlds = Number(process.argv[3] ?? 3), per = Number(process.argv[4] ?? 300)
const limits = { maxRelationDepth: 1000, maxFilterNesting: 1000, maxFilterConditions: 100000 } as never; const open = { kind: 'anonymous', roles: ['anonymous'], fields: {} } as const
let t0 = performance.now(), td = 0, te = 0, ts = 0, n = 0
for (let s = from; s < from + worlds; s++) {
  const random = createRandom(s)
  const isPortable = true
  const world = randomWorld(random, { isPortable, maxTables: 4, maxRows: 10 })
  await direct.client.query(postgresWorld(world, 'main'))
  const dir = mkdtempSync('/tmp/p4-')
  const db = new Database(dir + '/x.db'); loadSqliteWorld(db, world); db.close()
  const names = world.tables.map(t => t.name)
  direct.lookAt(names.map(n => 'main.' + n)); const epg = await openEngine({ config: { limits, connections: { main: { url: server.url, schema: 'main' } } }, adapterPackage: '@engine/adapters-postgres', connect: pgConnect, tables: names })
  const esl = await openEngine({ config: { limits, connections: { main: dir + '/x.db' } }, adapterPackage: '@engine/adapters-sqlite', connect: sqliteConnect, tables: names })
  const tables = world.tables.map(table => ({ table, readable: table.columns.map(c => c.name) }))
  for (let i = 0; i < per; i++) {
    const r = createRandom(s * 100000 + i)
    const g = createGrammar(r, { tables, risk: 12, isPortable })
    const q = statement(g, { writes: Number(process.argv[5] ?? 20), mayConflict: true, mayWriteInside: true, writable: (n) => world.tables.find(t => t.name === n)!.columns.map(c => c.name) }); const w = q.isWrite
    const st = printTree(q.tree, { table: (n) => `main.${n}`, side: 'engine' })
    n++
    let a = performance.now()
    const want = await direct.run(st, w); td += performance.now() - a; a = performance.now()
    const got = await epg.run(st, open, w); te += performance.now() - a; a = performance.now()
    const sl = await esl.run(st, open, w); ts += performance.now() - a
    if (want.kind === 'refused') bump('PG ' + want.sqlState + ' ' + want.message.replace(/\d+/g, 'N').slice(0, 100), st.sql)
    else bump('PG rows')
    for (const [name, o] of [['pg', got], ['sqlite', sl]] as const) {
      if (want.kind === 'rows' && o.kind === 'rows') {
        let d = compareRows(want.rows, o.rows, q.isOrdered); if (d === undefined && w && want.tables !== o.tables) { if (want.tables === undefined || o.tables === undefined) d = 'no tables'; else { const A = JSON.parse(want.tables), B = JSON.parse(o.tables); d = A.map((x, i) => compareRows(x, B[i], true)).find(x => x !== undefined) ; if (d) d = 'TABLES ' + d} }
        if (d !== undefined) bump(`${name} WRONG ${d.slice(0, 200)}`, JSON.stringify(st))
        else bump(`${name} equal`)
      } else if (want.kind === 'rows') {
        bump(`${name} refused ${o.status} ${o.message.replace(/position \d+/, '')}`.slice(0, o.status >= 500 ? 600 : 200), JSON.stringify(st))
      } else if (o.kind === 'rows') bump(`${name} ANSWERS ${want.sqlState} ${want.message.slice(0, 100)}`, JSON.stringify(st))
      else bump(`${name} both refuse${o.status >= 500 ? o.message : ''}`, JSON.stringify(st))
    }
  }
  await epg.close(); await esl.close()
}
console.log({ n, td, te, ts, total: performance.now() - t0 })
for (const [k, [c, sql]] of [...kinds].sort((a, b) => b[1][0] - a[1][0])) console.log(c, k, /WRONG|ANSWERS|refused|PG 42/.test(k) ? '\n     ' + sql.slice(0, 1500) : '')
await direct.close(); await server.stop()
