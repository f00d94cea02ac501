/** @module One embedded PostgreSQL with the mirrors of one visible catalog. */
import type { Log } from '@engine/core'
import { loadParser, type VisibleCatalog } from '@engine/core/session'
import { mirrorSteps } from '../mirror/mirror-sql.ts'
import { keptName, quoteText } from '../mirror/sql-text.ts'
import type {
  CatalogAnswer,
  CatalogDescription,
  CatalogQuery,
  CatalogRun,
  CatalogScope,
} from '../wire-catalog.ts'
import { backendMessages } from './backend-messages.ts'
import { buildMirrors, readFacts } from './build-mirrors.ts'
import { throwError } from './catalog-error.ts'
import { isolatedStatement, readAnswer, readDescription } from './isolated-statement.ts'
import { type PgliteProcess, startPglite } from './pglite-process.ts'
import { clientRoleName, movedTable } from './prepared-database.ts'
import { publicSchema } from './public-schema.ts'

/** Takes one statement at a time. */
export interface PgliteInstance {
  readonly pid: number | undefined
  /** @throws {GatewayError} PostgreSQL's error; 57014 when `signal` aborted, which ends the instance. */
  describe(
    query: CatalogQuery,
    scope: CatalogScope,
    signal: AbortSignal,
  ): Promise<CatalogDescription>
  /** @throws {GatewayError} as `describe`. */
  run(query: CatalogRun, scope: CatalogScope, signal: AbortSignal): Promise<CatalogAnswer>
  /** False when it should be replaced: it was killed, or has grown too much. */
  isUsable(): boolean
  end(): Promise<void>
}

export interface InstanceOptions {
  /** A process without mirrors. */
  readonly startProcess: () => Promise<PgliteProcess>
  /** To build the mirrors. */
  readonly startTimeoutMs: number
  readonly log: Log
}

export interface ProcessOptions {
  /** Of @electric-sql/pglite. */
  readonly packageUrl: string
  /** The prepared data directory. */
  readonly archivePath: string
  readonly startTimeoutMs: number
}

/** 256 MB, of which 128 are taken from the start. */
const maxMemoryPages = 4_096
const maxAnswerBytes = 32 * 1024 * 1024
/** PostgreSQL never returns memory that it has taken. A new instance takes 200 MB. */
const maxResidentBytes = 450 * 1024 * 1024
/** Each renaming leaves a dead row. */
const maxRenamings = 10_000

/** @throws {GatewayError} `unavailable` when PostgreSQL does not start in time. */
export function startProcess({
  packageUrl,
  archivePath,
  startTimeoutMs,
}: ProcessOptions): Promise<PgliteProcess> {
  const setup = { packageUrl, archivePath, maxMemoryPages, maxAnswerBytes }
  return startPglite(setup, startTimeoutMs)
}

/** @throws {GatewayError} `unavailable` when PostgreSQL does not start, or its mirrors are not built in time. */
export async function startInstance(
  visible: VisibleCatalog,
  { startProcess: start, startTimeoutMs, log }: InstanceOptions,
): Promise<PgliteInstance> {
  await loadParser()
  const server = await start()
  try {
    return await createInstance(server, visible, AbortSignal.timeout(startTimeoutMs), log)
  } catch (error) {
    await server.end()
    throw error
  }
}

async function createInstance(
  server: PgliteProcess,
  visible: VisibleCatalog,
  starting: AbortSignal,
  log: Log,
): Promise<PgliteInstance> {
  const skipped = await buildMirrors(server, mirrorSteps(visible, clientRoleName), starting)
  if (skipped.length > 0) {
    log.info(
      { skipped: skipped.slice(0, 10), count: skipped.length },
      'parts of tables are not shown in the system catalogs',
    )
  }
  const facts = await readFacts(server, starting)
  let names = { user: clientRoleName, database: 'postgres' }
  let renamings = 0
  let residentBytes = 0
  const ask = async (
    query: CatalogQuery,
    run: CatalogRun | undefined,
    scope: CatalogScope,
    signal: AbortSignal,
  ) => {
    const wanted = namesFor(scope, facts.roles)
    const isRenamed = wanted.user !== names.user || wanted.database !== names.database
    const renamedSchema = publicSchema(query, run, scope)
    if (renamedSchema !== undefined) renamings++
    const answer = await server.ask(
      isolatedStatement(query, run, scope, {
        renaming: isRenamed ? renamingSql(wanted, facts.clientOid) : undefined,
        user: wanted.user,
        defaults: facts.defaults,
        publicSchema: renamedSchema,
      }),
      signal,
    )
    residentBytes = answer.memoryBytes
    if (isRenamed) {
      throwError(backendMessages(answer.opening))
      names = wanted
      renamings++
    }
    return answer
  }
  return {
    pid: server.pid,
    describe: async (query, scope, signal) =>
      readDescription(await ask(query, undefined, scope, signal)),
    run: async (query, scope, signal) =>
      readAnswer(await ask(query, query, scope, signal), query.maxRows),
    isUsable: () =>
      server.isAlive() && residentBytes < maxResidentBytes && renamings < maxRenamings,
    end: () => server.end(),
  }
}

interface Names {
  readonly user: string
  readonly database: string
}

/** A client may have the name of a role that PostgreSQL creates itself: it does not become that role. */
function namesFor({ user, database }: CatalogScope, roles: ReadonlySet<string>): Names {
  const name = keptName(user)
  return { user: roles.has(name) ? keptName(`user ${user}`) : name, database: keptName(database) }
}

function renamingSql({ user, database }: Names, clientOid: number): string {
  return `begin; set local allow_system_table_mods = on;
    update pg_catalog.pg_authid set rolname = ${quoteText(user)} where oid = ${clientOid};
    update pg_catalog.${movedTable('pg_database')} set datname = ${quoteText(database)};
    commit`
}
