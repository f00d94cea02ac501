/** @module Entry of the thread that writes to the service database in the background. Started by `createServiceWriter`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { StoreValue } from '@engine/core/driver'
import type Database from 'better-sqlite3'
import { describeFault } from '../errors/fault.ts'
import { openServiceFile } from './service-file.ts'
import type { WriteReply, WriteRequest, WriterSetup } from './service-writer.ts'

function serve({ filename }: WriterSetup): void {
  const port = parentPort
  if (port === null) throw new Error('this file is the entry of a worker thread')
  const database = openServiceFile(filename)
  let last: Database.Statement | undefined
  port.on('message', (message: WriteRequest | 'close') => {
    if (message === 'close') {
      database.close()
      port.close()
      return
    }
    const { id, sql, parameterLists } = message
    port.postMessage({ id, ...write(sql, parameterLists) } satisfies WriteReply)
  })

  function write(
    sql: string,
    parameterLists: WriteRequest['parameterLists'],
  ): Pick<WriteReply, 'changes' | 'fault'> {
    try {
      return { changes: writeAll(sql, parameterLists), fault: undefined }
    } catch (error) {
      return { changes: 0, fault: describeFault(error) }
    }
  }

  /** In one transaction. @returns the number of changed rows. */
  function writeAll(sql: string, parameterLists: WriteRequest['parameterLists']): number {
    const statement = prepared(sql)
    return database
      .transaction(() => {
        let changes = 0
        for (const parameters of parameterLists) {
          changes += statement.run(...parameters.map(bound)).changes
        }
        return changes
      })
      .immediate()
  }

  /** Most writes have the text of the one before. */
  function prepared(sql: string): Database.Statement {
    if (last?.source !== sql) last = database.prepare(sql)
    return last
  }
}

function bound(value: StoreValue): StoreValue {
  return value instanceof Uint8Array ? Buffer.from(value) : value
}

serve(workerData as WriterSetup)
