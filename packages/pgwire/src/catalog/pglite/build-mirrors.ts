/** @module Fills a PostgreSQL that has just started. */
import type { MirrorStep } from '../mirror/mirror-step.ts'
import { backendMessages, readDataRow } from './backend-messages.ts'
import { throwError } from './catalog-error.ts'
import { queryMessage } from './client-messages.ts'
import type { PgliteProcess } from './pglite-process.ts'
import { clientRoleName } from './prepared-database.ts'

/**
 * Runs all steps at once; where that fails, runs each half separately, in order, until the failing step is found.
 *
 * @returns the reasons of the steps that were left out
 */
export async function buildMirrors(
  server: PgliteProcess,
  steps: readonly MirrorStep[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const all = steps.map(([first]) => first).join(';\n')
  const reason = await tryScript(server, `begin; ${all}; commit`, signal)
  if (reason === undefined) return []
  const [step, ...others] = steps
  if (step === undefined) return [reason]
  if (others.length > 0) {
    const middle = Math.ceil(steps.length / 2)
    return [
      ...(await buildMirrors(server, steps.slice(0, middle), signal)),
      ...(await buildMirrors(server, steps.slice(middle), signal)),
    ]
  }
  const [, ...alternatives] = step
  return alternatives.length === 0 ? [reason] : await buildMirrors(server, [alternatives], signal)
}

/** Undefined on success, otherwise the error. */
async function tryScript(
  server: PgliteProcess,
  sql: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await runScript(server, sql, signal)
    return undefined
  } catch (error) {
    if (!server.isAlive()) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

/** Rows as text, for our own SQL. */
async function runScript(
  server: PgliteProcess,
  sql: string,
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const { opening } = await server.ask(
    {
      opening: queryMessage(sql),
      statement: undefined,
      execution: undefined,
      closing: queryMessage('rollback'),
    },
    signal,
  )
  const messages = backendMessages(opening)
  throwError(messages)
  return messages
    .filter(({ type }) => type === 'D')
    .map(({ body }) => readDataRow(body).map((cell) => (cell === null ? '' : cell.toString())))
}

/** The objects that exist besides mirrors. */
export interface ServerFacts {
  readonly clientOid: number
  /** All databases but the one for clients. */
  readonly roles: ReadonlySet<string>
  /** Default settings, by lower-case name. */
  readonly defaults: ReadonlyMap<string, string>
}

export async function readFacts(server: PgliteProcess, signal: AbortSignal): Promise<ServerFacts> {
  const roles = await runScript(server, 'select oid, rolname from pg_catalog.pg_roles', signal)
  const settings = await runScript(
    server,
    'select pg_catalog.lower(name), pg_catalog.engine_current_setting(name, true) from pg_catalog.pg_settings',
    signal,
  )
  const isClient = ([, name]: readonly string[]) => name === clientRoleName
  return {
    clientOid: Number(roles.find(isClient)?.[0]),
    roles: new Set(roles.filter((role) => !isClient(role)).map(([, name = '']) => name)),
    defaults: new Map(settings.map(([name = '', value = '']) => [name, value])),
  }
}
