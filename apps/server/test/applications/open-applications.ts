/** @module All applications for a kind of database in one gateway: each is a connection. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SchemaDocument } from '@engine/contract'
import type { Table } from '@engine/core/catalog'
import {
  type Application,
  type ApplicationDatabase,
  applicationsOf,
  createApplication,
} from '@engine/fixtures'
import { createDatabase, type MysqlOfRun } from '@engine/test-databases/vitest'
import { openGateway, type TestGateway } from '../support/gateway.ts'

export interface Applications {
  readonly gateway: TestGateway
  readonly schema: SchemaDocument
  /** Its tables and views, by name. */
  tables(application: Application): readonly Table[]
  close(): Promise<void>
}

/** @param server of `mysql` */
export async function openApplications(
  database: ApplicationDatabase,
  server: MysqlOfRun | undefined,
): Promise<Applications> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-applications-'))
  const connections: Record<
    string,
    { readonly url: string; readonly pool: { readonly max: number } }
  > = {}
  for (const name of applicationsOf(database)) {
    const url = await emptyDatabase(database, server, folder, name)
    await createApplication(name, database, url)
    connections[name] = { url, pool: { max: 2 } }
  }
  const gateway = await openGateway({ connections, schemaEndpoint: true })
  const answer = await gateway.fetch(new Request('http://gateway.test/schema'))
  return {
    gateway,
    schema: (await answer.json()) as SchemaDocument,
    tables: (application) => {
      const found = gateway.engine.catalog().connections.get(application)?.tables.values() ?? []
      return [...found].toSorted((left, right) => (left.name < right.name ? -1 : 1))
    },
    close: async () => {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function emptyDatabase(
  database: ApplicationDatabase,
  server: MysqlOfRun | undefined,
  folder: string,
  name: Application,
): Promise<string> {
  switch (database) {
    case 'postgres':
      return await createDatabase(name)
    case 'mysql':
      if (server === undefined) throw new Error('no server')
      return await server.createDatabase(name)
    case 'sqlite':
      return join(folder, `${name}.db`)
  }
}
