import { join } from 'node:path'
import { createSqliteWireFixture } from '@engine/wire-clients'
import { describeClients } from '@engine/wire-clients/vitest'
import { afterAll, beforeAll, describe } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { startWireServer, type WireServer } from './wire-server.ts'

describe('clients of a server with SQLite', () => {
  let folder: TestFolder
  let server: WireServer

  beforeAll(async () => {
    folder = createFolder()
    const url = join(folder.path, 'shop.db')
    createSqliteWireFixture(url)
    server = await startWireServer('sqlite', { url })
  })
  afterAll(async () => {
    await server?.stop()
    folder?.remove()
  })

  describeClients({ server: 'engine', kind: 'sqlite' }, () => server.target)
})
