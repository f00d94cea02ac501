import type pg from 'pg'
import { compareProgram, type ProgramReport, type Sides } from './compare-program.ts'
import type { Gateway } from './gateway.ts'
import type { Program } from './program.ts'

/** Both ends of a comparison, for any client. */
export interface Setting extends Omit<Sides<never>, 'direct' | 'gateway'> {
  /** Created by `openDirectPool`. */
  readonly direct: pg.Pool
  readonly gateway: Gateway
}

/** One client and its programs, without its types, so that all clients fit in one list. */
export interface Suite {
  /** The client and its version. */
  readonly name: string
  readonly programs: readonly ProgramSummary[]
  /** Connects the client on both sides; the result runs one of the programs. */
  readonly open: (setting: Setting) => (program: ProgramSummary) => Promise<ProgramReport>
}

/** Facts about a program that are known without running it. */
export type ProgramSummary = Omit<Program<never>, 'run'>

/** The parts of a client: its programs, and how it connects. */
export interface Client<Db> {
  readonly name: string
  readonly programs: readonly Program<Db>[]
  readonly directDb: (pool: pg.Pool) => Db
  readonly gatewayDb: (gateway: Gateway) => Db
}

/** Hides a client's types. */
export function suiteOf<Db>(client: Client<Db>): Suite {
  const byName = new Map(client.programs.map((program) => [program.name, program]))
  return {
    name: client.name,
    programs: client.programs,
    open: (setting) => {
      const sides: Sides<Db> = {
        ...setting,
        direct: client.directDb(setting.direct),
        gateway: client.gatewayDb(setting.gateway),
      }
      return async ({ name }) => {
        const program = byName.get(name)
        if (program === undefined) throw new RangeError(`${client.name} has no program "${name}"`)
        return compareProgram(program, sides)
      }
    },
  }
}
