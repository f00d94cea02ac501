import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Checks whether the server can listen there, by listening for a moment. */
export async function checkPort(about: string, host: string, port: number): Promise<Finding> {
  if (port === 0) return ok(about, 'a free port is taken at start')
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok(about, `${host}:${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EADDRINUSE'
      ? warning(about, `${host}:${port} is in use; by this server, if it runs already`)
      : fault(about, `cannot listen on ${host}:${port} (${code})`)
  } finally {
    server.close()
  }
}
