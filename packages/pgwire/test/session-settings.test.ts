import { GatewayError } from '@engine/core'
import { loadParser } from '@engine/core/session'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readStatements } from '../src/session/reading/read-statements.ts'
import { createSessionSettings } from '../src/session/settings/create-session-settings.ts'
import type { SessionSettings } from '../src/session/settings/session-settings.ts'
import type { SessionCommand } from '../src/session/statements/client-statement.ts'

/** Each runs in a new session, on both servers; the answers of SHOW and SQLSTATEs are compared. */
const scripts: readonly string[] = [
  "set timezone to 'europe/berlin'; show timezone; set time zone -7; show time zone; set time zone 5.5; show timezone; set time zone local; show timezone",
  "set time zone interval '-08:00' hour to minute; show timezone; set time zone 'nowhere'; show timezone; reset timezone; show timezone",
  "set time zone 'UTC'; show timezone; set timezone = 'utc'; show timezone; set timezone = 'EST5EDT'; show timezone; set timezone to '+02'; show timezone",
  'set datestyle to iso, dmy; show datestyle; set datestyle = iso; show datestyle; set datestyle to ymd; show datestyle; set datestyle to nonsense; show datestyle; set datestyle to default; show datestyle',
  "set datestyle = 'ISO, European'; show datestyle; set datestyle = 'us'; show datestyle; set datestyle = 'noneuropean, iso'; show datestyle",
  'set work_mem = 65536; show work_mem; set work_mem to 100; show work_mem; set work_mem = 1; set work_mem to 1500kB; show work_mem',
  "set work_mem to '1.5GB'; show work_mem; set work_mem to ' 64 MB '; show work_mem; set work_mem to '1 mb'; set work_mem to 'x'; set work_mem = '0x400'; show work_mem",
  "set statement_timeout = 90000; show statement_timeout; set statement_timeout = '1.5s'; show statement_timeout; set statement_timeout to 86400000; show statement_timeout; set statement_timeout = -1",
  "set statement_timeout = 0; show statement_timeout; set statement_timeout = '1us'; show statement_timeout; set statement_timeout = 2147483648",
  'set jit to off; show jit; set jit = tr; show jit; set jit to f; show jit; set jit = 1; show jit; set jit = o; set jit to maybe',
  "set client_min_messages to WARNING; show client_min_messages; set client_min_messages to 'loud'; reset client_min_messages; show client_min_messages",
  "set synchronous_commit to off; show synchronous_commit; set synchronous_commit = false; show synchronous_commit; set synchronous_commit = 'yes'; show synchronous_commit",
  "set client_encoding to 'utf-8'; show client_encoding; set names 'sql_ascii'; show client_encoding; set names 'unicode'; show client_encoding; set client_encoding = 'klingon'",
  "set client_encoding to 'iso-8859-15'; show client_encoding; set names 'Windows1251'; show client_encoding; set client_encoding = KOI8; show client_encoding; set names 'ISO_8859_9'; show client_encoding; set names 'vscii'; show client_encoding",
  'show nonsense; set nonsense = 1; reset nonsense; set server_version = 1; set max_connections = 5; set fsync = off; show server_encoding',
  'set a.b = \'c\'; show a.b; reset a.b; show a.b; show a.c; set A.D to 1; show a.d; set "a.1b" = 1',
  "begin; set local a.b = 'x'; show a.b; set work_mem = 1024; show work_mem; commit; show work_mem; show a.b",
  "begin; set a.b = 'x'; rollback; show a.b; show a.c",
  'begin; set work_mem = 1024; rollback; show work_mem; begin; set local work_mem = 2048; show work_mem; commit; show work_mem',
  'begin; set work_mem = 1024; savepoint a; set work_mem = 2048; set local jit = off; rollback to a; show work_mem; show jit; set local work_mem = 4096; release a; show work_mem; commit; show work_mem',
  'begin; set local jit = off; set jit = on; show jit; commit; show jit; begin; set jit = off; set local jit = on; show jit; commit; show jit',
  'begin; set local jit = off; savepoint a; set jit = on; rollback to a; show jit; commit; show jit',
  'set default_transaction_isolation to serializable; show transaction_isolation; begin; show transaction isolation level; set transaction isolation level read committed; show transaction_isolation; commit; show transaction_isolation',
  'begin isolation level repeatable read read only; show transaction_isolation; show transaction_read_only; show transaction_deferrable; rollback; show transaction_read_only',
  'set session characteristics as transaction read only, isolation level serializable, deferrable; show default_transaction_read_only; show default_transaction_isolation; show default_transaction_deferrable; show transaction_read_only',
  "set default_transaction_isolation = 'chaos'; set default_transaction_read_only = 2; set transaction_isolation = 'chaos'",
  'set search_path to a, "B c", \'d e\', public; show search_path; set search_path = \'\'; show search_path; set schema \'x\'; show search_path; set search_path to "$user", "user"; show search_path',
  "set application_name = 'my app'; show application_name; set application_name to default; show application_name",
  'set extra_float_digits = 3; show extra_float_digits; set extra_float_digits = 4; set extra_float_digits = -15; show extra_float_digits; set extra_float_digits = 0.4; show extra_float_digits; set extra_float_digits = 2.5; show extra_float_digits',
  'set bytea_output to escape; show bytea_output; set bytea_output to HEX; show bytea_output; set bytea_output to base64',
  "set default_text_search_config to simple; show default_text_search_config; set default_text_search_config = 'pg_catalog.German'; show default_text_search_config; set default_text_search_config to klingon; reset default_text_search_config",
  'set xml option content; show xmloption; set xmloption to content; show xmloption',
  'set temp_buffers = 100; show temp_buffers; set effective_cache_size = 1; show effective_cache_size; set random_page_cost = 1.10; show random_page_cost; set cursor_tuple_fraction = 2',
  'set work_mem = 1, 2; set datestyle = 1; set jit = on, off',
  'show is_superuser_x; show integer_datetimes; show standard_conforming_strings; show max_identifier_length; show max_index_keys; show block_size; show in_hot_standby; show intervalstyle; show row_security',
  'set role none; show role; reset role; show role; set session authorization default',
  'set work_mem = 1024; set a.b = 1; reset all; show work_mem; show a.b; show session_authorization_x',
  'set vacuum_cost_delay = 1.5; show vacuum_cost_delay; set geqo_seed = 0.5; show geqo_seed; set hash_mem_multiplier = 3; show hash_mem_multiplier; set jit_above_cost = -1; show jit_above_cost',
  'set tcp_keepalives_idle = 0; set wal_sender_timeout = 1000; show wal_sender_timeout; set lock_timeout = 3600000; show lock_timeout; set idle_in_transaction_session_timeout = 1000; show idle_in_transaction_session_timeout',
]

describePostgres('settings beside PostgreSQL', () => {
  let client: Client

  beforeAll(async () => {
    await loadParser()
    client = new Client({ connectionString: await createDatabase('settings') })
    await client.connect()
    // Of the startup packet of our session, too.
    await client.query('set jit = on')
  })
  afterAll(() => client.end())

  test.each(scripts)('%s', async (script) => {
    await client.query('discard all')
    const statements = script.split('; ')
    const expected: string[] = []
    for (const statement of statements)
      expected.push(`${statement} → ${await ofPostgres(statement)}`)
    await client.query('rollback')
    const settings = openSettings()
    expect(statements.map((statement) => `${statement} → ${ofOurs(settings, statement)}`)).toEqual(
      expected,
    )
  })

  async function ofPostgres(statement: string): Promise<string> {
    try {
      const { rows } = await client.query<string[]>({ text: statement, rowMode: 'array' })
      return rows[0]?.[0] ?? 'done'
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      return error.code ?? ''
    }
  }
})

function openSettings(): SessionSettings {
  return createSessionSettings({
    identity: {
      user: 'postgres',
      database: 'shop',
      processId: 1,
      applicationName: '',
      settings: new Map([['search_path', '"$user", public']]),
    },
    serverVersion: '15.3',
    defaultSearchPath: [],
    publicConnection: undefined,
    isSuperuser: true,
  })
}

function ofOurs(settings: SessionSettings, sql: string): string {
  try {
    const [statement] = readStatements(sql)
    if (statement?.kind === 'refused') throw statement.error
    if (statement?.kind !== 'command') throw new Error(`no command: ${sql}`)
    return apply(settings, statement.command) ?? 'done'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.sqlState ?? ''
  }
}

function apply(settings: SessionSettings, command: SessionCommand): string | undefined {
  switch (command.kind) {
    case 'set':
      settings.set(command.name, command.value, command.isLocal)
      return undefined
    case 'show':
      return settings.show(command.name)
    case 'resetAll':
      settings.resetAll()
      return undefined
    case 'begin':
      settings.begin(command.modes)
      return undefined
    case 'setTransaction':
      settings.characterize(command.modes)
      return undefined
    case 'setSessionCharacteristics':
      settings.setSessionCharacteristics(command.modes)
      return undefined
    case 'commit':
      settings.commit()
      return undefined
    case 'rollback':
      settings.rollBack()
      return undefined
    case 'savepoint':
      settings.savepoint(command.name)
      return undefined
    case 'rollbackTo':
      settings.rollBackTo(command.name)
      return undefined
    case 'release':
      settings.release(command.name)
      return undefined
    default:
      throw new Error(`no script has ${command.kind}`)
  }
}
