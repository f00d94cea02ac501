/** @module A client of the service database that is not Engine: an operator with the database's own tool. */
import type { StoreKind } from '@engine/core/store'
import Database from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'

/** Runs one statement in the database's own SQL, on a connection of its own. */
export async function runByHand(kind: StoreKind, url: string, sql: string): Promise<void> {
  switch (kind) {
    case 'sqlite': {
      const database = new Database(url)
      database.exec(sql)
      database.close()
      // Engine reads a file of its own once in a turn of the event loop: another process has turns of its own.
      await new Promise((resolve) => setImmediate(resolve))
      return
    }
    case 'libsql': {
      const requests = [{ type: 'execute', stmt: { sql } }, { type: 'close' }]
      const target = new URL('/v2/pipeline', url)
      const response = await fetch(target, { method: 'POST', body: JSON.stringify({ requests }) })
      const answer = await response.text()
      if (!response.ok || answer.includes('"type":"error"')) throw new Error(answer)
      return
    }
    case 'postgres': {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(sql)
      await client.end()
      return
    }
    case 'mysql': {
      const connection = await createConnection(url)
      await connection.query(sql)
      await connection.end()
    }
  }
}
