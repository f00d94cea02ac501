/** @module Entry of the thread that writes to the service database in the background. Started by `createServiceWriter`. */
import { parentPort, workerData } from 'node:worker_threads'
import { describeFault } from '../connection/fault.ts'
import { openServiceFile } from '../service-file.ts'
import type { WriteReply, WriteRequest, WriterSetup } from './service-writer.ts'

function serve({ filename }: WriterSetup): void {
  const port = parentPort
  if (port === null) throw new Error('this file is the entry of a worker thread')
  const database = openServiceFile(filename)
  port.on('message', (message: WriteRequest | 'close') => {
    if (message === 'close') {
      database.close()
      port.close()
      return
    }
    const { id, sql, parameters } = message
    port.postMessage({ id, ...write(sql, parameters) } satisfies WriteReply)
  })

  function write(
    sql: string,
    parameters: WriteRequest['parameters'],
  ): Pick<WriteReply, 'changes' | 'fault'> {
    try {
      const values = parameters.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value) : value,
      )
      const { changes } = database.prepare(sql).run(...values)
      return { changes, fault: undefined }
    } catch (error) {
      return { changes: 0, fault: describeFault(error) }
    }
  }
}

serve(workerData as WriterSetup)
