/** @module A process with a handwritten server: Hono and the driver of the database, no authentication. */
import { createAdaptorServer } from '@hono/node-server'
import Database from 'better-sqlite3'
import { Hono } from 'hono'
import { createPool, type ResultSetHeader } from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseKind } from './databases.ts'
import { serveParent } from './serve-parent.ts'
import { connections, valuesByHand, workloads } from './workloads.ts'

type Value = string | number

/** Runs the statement of a workload. */
type Run = (name: string, sql: string, values: readonly Value[]) => unknown

interface Base {
  readonly run: Run
  close(): Promise<void>
}

const bases: Readonly<Record<DatabaseKind, (url: string) => Base>> = {
  postgres: (url) => {
    const pool = new pg.Pool({ connectionString: url, max: connections })
    return {
      run: async (name, sql, values) => {
        let count = 0
        const text = sql.replaceAll('?', () => `$${++count}`)
        const query = { name, text, values: [...values], rowMode: 'array' as const }
        return (await pool.query(query)).rows
      },
      close: () => pool.end(),
    }
  },
  sqlite: (url) => {
    const database = new Database(url)
    database.pragma('synchronous = FULL')
    const statements = new Map<string, Database.Statement>()
    return {
      run: (name, sql, values) => {
        const statement = statements.get(name) ?? database.prepare(sql).raw()
        statements.set(name, statement)
        return statement.all(...values)
      },
      close: async () => void database.close(),
    }
  },
  mariadb: poolOfMysql,
  mysql: (url) => {
    const { run, close } = poolOfMysql(url)
    return {
      run: async (name, sql, values) => {
        const [, insert, columns] = /^(insert .*) returning (.*)$/.exec(sql) ?? []
        if (insert === undefined) return run(name, sql, values)
        const { insertId } = (await run(name, insert, values)) as ResultSetHeader
        return run(name, `select ${columns} from notes where id = ?`, [insertId])
      },
      close,
    }
  },
}

function poolOfMysql(url: string): Base {
  const pool = createPool({ uri: url, connectionLimit: connections, rowsAsArray: true })
  return {
    run: async (_, sql, values) => (await pool.execute(sql, [...values]))[0],
    close: () => pool.end(),
  }
}

const [kind = '', url = ''] = process.argv.slice(2)
const base = bases[kind as DatabaseKind](url)
const app = new Hono()
for (const workload of workloads) {
  app.post(`/${workload.name}`, async (context) => {
    const { params } = await context.req.json<{ readonly params: readonly Value[] }>()
    const values = valuesByHand(workload, params)
    return context.json({ rows: await base.run(workload.name, workload.byHand, values) })
  })
}
await serveParent(createAdaptorServer({ fetch: app.fetch }), () => base.close())
