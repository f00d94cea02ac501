import { createFolder, type TestFolder } from './folder.ts'
import { type ServerProcess, startServer } from './server-process.ts'

type Environment = Readonly<Record<string, string>>

/** The exit code and output of a command. */
export interface CommandOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `engine-server` in a folder of its own. */
export interface Program {
  readonly folder: TestFolder
  start(args: readonly string[], env?: Environment): ServerProcess
  /** Runs a command to its end. */
  run(args: readonly string[], env?: Environment): Promise<CommandOutcome>
  /** Ends running commands and removes the folder. */
  close(): Promise<void>
}

export function createProgram(): Program {
  const folder = createFolder()
  const started: ServerProcess[] = []
  const start: Program['start'] = (args, env = {}) => {
    const server = startServer(args, { cwd: folder.path, env })
    started.push(server)
    return server
  }
  return {
    folder,
    start,
    run: async (args, env) => {
      const server = start(args, env)
      const code = await server.exit()
      return { code, stdout: server.stdout(), stderr: server.stderr() }
    },
    close: async () => {
      for (const server of started) {
        server.signal('SIGKILL')
        await server.exit()
      }
      folder.remove()
    },
  }
}
