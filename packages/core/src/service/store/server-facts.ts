/** @module Facts about a database server, read directly: the engine would refuse such queries. */
import type { ServiceConnection, ServiceDatabase } from './service-database.ts'

/** What a database server reports about itself and about the user of a connection. */
export interface ServerFacts {
  readonly version: string
  readonly user: string | undefined
  /** The role may do everything, for any grants. */
  readonly isSuperuser: boolean
  /** The user may read, or write, at least one table; undefined where the server does not report it, or has no tables. */
  readonly canRead: boolean | undefined
  readonly canWrite: boolean | undefined
  /** The connection is encrypted; undefined where the server does not report it. */
  readonly isEncrypted: boolean | undefined
  /** Milliseconds of one round trip, the median of a few. */
  readonly latencyMs: number
  /**
   * Difference of its clock to ours, in milliseconds, positive when it is ahead; undefined where it has no clock of its
   * own.
   */
  readonly clockAheadMs: number | undefined
}

type Row = Readonly<Record<string, unknown>>

const questions = 5

/**
 * Asks the server of a service database about itself.
 *
 * @throws {GatewayError} `unavailable` when it cannot be reached.
 */
export async function serverFacts(database: ServiceDatabase): Promise<ServerFacts> {
  const connection = await database.acquire()
  try {
    const latencyMs = await medianMs(() => connection.execute('select 1', []))
    return { ...(await factsOf(connection, database.kind)), latencyMs }
  } finally {
    connection.release()
  }
}

function factsOf(
  connection: ServiceConnection,
  kind: ServiceDatabase['kind'],
): Promise<Omit<ServerFacts, 'latencyMs'>> {
  switch (kind) {
    case 'postgres':
      return readPostgresFacts(connection)
    case 'mysql':
      return readMysqlFacts(connection)
    default:
      return readSqliteFacts(connection)
  }
}

async function readPostgresFacts(
  connection: ServiceConnection,
): Promise<Omit<ServerFacts, 'latencyMs'>> {
  const { row, askedAtMs } = await ask(
    connection,
    `select current_setting('server_version') as version, current_user::text as name,
       (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user) as super,
       (select ssl from pg_catalog.pg_stat_ssl where pid = pg_backend_pid()) as tls,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as time`,
  )
  const { row: rights } = await ask(
    connection,
    `select bool_or(has_table_privilege(c.oid, 'select')) as read,
       bool_or(has_table_privilege(c.oid, 'insert') or has_table_privilege(c.oid, 'update')
         or has_table_privilege(c.oid, 'delete')) and not pg_is_in_recovery() as write
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`,
  )
  return {
    ...rightsIn(rights),
    version: `PostgreSQL ${row['version']}`,
    user: String(row['name']),
    isSuperuser: isTrue(row['super']),
    isEncrypted: isTrue(row['tls']),
    clockAheadMs: Number(row['time']) - askedAtMs,
  }
}

async function readMysqlFacts(
  connection: ServiceConnection,
): Promise<Omit<ServerFacts, 'latencyMs'>> {
  const { row, askedAtMs } = await ask(
    connection,
    `select version() as version, current_user() as name, unix_timestamp(sysdate(3)) * 1000 as time,
       exists (select 1 from information_schema.user_privileges
         where privilege_type = 'SUPER'
           and grantee = concat('''', replace(current_user(), '@', '''@'''), '''')) as super`,
  )
  const cipher = await connection.execute("show session status like 'Ssl_cipher'", [])
  const version = String(row['version'])
  // Without LIMIT, MySQL prints the condition with backslashes, which this session does not read, and parses it for each arm.
  const { row: rights } = await ask(
    connection,
    `select max(privilege_type = 'SELECT') as \`read\`,
       max(privilege_type in ('INSERT', 'UPDATE', 'DELETE')) and not @@global.read_only as \`write\`
     from (select grantee, privilege_type from information_schema.user_privileges
       union all select grantee, privilege_type from information_schema.schema_privileges
         where database() like table_schema
       union all select grantee, privilege_type from information_schema.table_privileges
         where table_schema = database()
       limit 18446744073709551615) as granted
     where grantee = concat('''', replace(current_user(), '@', '''@'''), '''')`,
  )
  return {
    ...rightsIn(rights),
    version: /mariadb/i.test(version) ? `MariaDB ${version}` : `MySQL ${version}`,
    user: String(row['name']),
    isSuperuser: isTrue(row['super']),
    isEncrypted: Object.values(cipher.rows[0] ?? {})[1] !== '',
    clockAheadMs: Number(row['time']) - askedAtMs,
  }
}

async function readSqliteFacts(
  connection: ServiceConnection,
): Promise<Omit<ServerFacts, 'latencyMs'>> {
  const { row } = await ask(connection, 'select sqlite_version() as version')
  return {
    version: `SQLite ${row['version']}`,
    canRead: undefined,
    canWrite: undefined,
    user: undefined,
    isSuperuser: false,
    isEncrypted: undefined,
    clockAheadMs: undefined,
  }
}

/** @returns the row, and the time half-way between query and answer, in milliseconds since 1970. */
async function ask(
  connection: ServiceConnection,
  sql: string,
): Promise<{ readonly row: Row; readonly askedAtMs: number }> {
  const beforeMs = Date.now()
  const { rows } = await connection.execute(sql, [])
  return { row: (rows[0] ?? {}) as Row, askedAtMs: (beforeMs + Date.now()) / 2 }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < questions; i += 1) {
    const startMs = performance.now()
    await work()
    times.push(performance.now() - startMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(questions / 2)] ?? 0
}

function rightsIn({ read, write }: Row): Pick<ServerFacts, 'canRead' | 'canWrite'> {
  return {
    canRead: read === null ? undefined : isTrue(read),
    canWrite: write === null ? undefined : isTrue(write),
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === 't' || value === '1'
}
