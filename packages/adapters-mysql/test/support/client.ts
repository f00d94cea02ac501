import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'

/** A connection to a database that bypasses the adapter. */
export interface TestClient {
  readonly run: (...statements: readonly string[]) => Promise<void>
  readonly rows: (sql: string) => Promise<readonly RowDataPacket[]>
  readonly close: () => Promise<void>
}

export async function openClient(url: string): Promise<TestClient> {
  const connection: Connection = await createConnection({ uri: url, supportBigNumbers: true })
  return {
    run: async (...statements) => {
      for (const sql of statements) await connection.query(sql)
    },
    rows: async (sql) => (await connection.query<RowDataPacket[]>(sql))[0],
    close: () => connection.end(),
  }
}
