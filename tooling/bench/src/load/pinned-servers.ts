/** @module The servers of a comparison run on the first processor alone; load, and databases started here, on the second. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { type MeasuredServer, startServer } from './measured-server.ts'

export interface PinnedServers {
  /** @see {@link startServer} */
  start(
    file: string,
    args: readonly string[],
    nodeOptions?: readonly string[],
  ): Promise<MeasuredServer>
  stop(): Promise<void>
}

export function createPinnedServers(): PinnedServers {
  const servers: MeasuredServer[] = []
  return {
    start: async (file, args, nodeOptions) => {
      const server = await startServer(file, args, nodeOptions, onFirst)
      servers.push(server)
      return server
    },
    stop: async () => {
      for (const server of servers) await server.stop()
    },
  }
}

/** Leaves the first processor to servers while `work` runs. */
export async function besideServers(work: () => Promise<void>): Promise<void> {
  pin(process.pid, 1)
  await work()
  pin(process.pid, `0-${processors - 1}`)
}

const processors = availableParallelism()

/** From the start: a server counts the processors that it may use. With one processor, everything shares it. */
const onFirst: readonly string[] = processors < 2 ? [] : ['taskset', '-c', '0']

function pin(pid: number, processor: number | string): void {
  if (processors < 2) return
  const { status, stderr } = spawnSync('taskset', [
    '-a',
    '-c',
    '-p',
    String(processor),
    String(pid),
  ])
  if (status !== 0) throw new Error(`taskset: ${String(stderr)}`)
}
