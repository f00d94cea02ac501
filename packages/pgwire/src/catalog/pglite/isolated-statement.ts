/**
 * @module Runs one statement of a client so that it leaves nothing and cannot use the superuser's rights: a read-only
 * transaction under the client's role, one statement by the extended protocol, ROLLBACK, DISCARD ALL.
 */
import { GatewayError } from '@engine/core'
import { quoteText } from '../mirror/sql-text.ts'
import type {
  CatalogAnswer,
  CatalogDescription,
  CatalogQuery,
  CatalogRun,
  CatalogScope,
} from '../wire-catalog.ts'
import {
  backendMessages,
  readCommandTag,
  readDataRow,
  readParameterDescription,
  readRowDescription,
} from './backend-messages.ts'
import { throwError } from './catalog-error.ts'
import type { ChildAnswer, ChildRequest } from './child-messages.ts'
import {
  bindMessage,
  describePortalMessage,
  describeStatementMessage,
  executeMessage,
  parseMessage,
  queryMessage,
  syncMessage,
} from './client-messages.ts'
import { settingPrefix, superuserName } from './prepared-database.ts'
import type { PublicSchema } from './public-schema.ts'

/** Facts about the PostgreSQL instance that a group of messages needs. */
export interface GroupContext {
  /** SQL that renames roles and databases, in a transaction of its own; undefined where the names are already right. */
  readonly renaming: string | undefined
  /** Undefined where the question has no use for a schema `public`. */
  readonly publicSchema?: PublicSchema | undefined
  /** Name of the role that runs statements of clients. */
  readonly user: string
  /** Default values of the settings, by their lower-case names. */
  readonly defaults: ReadonlyMap<string, string>
}

/** Ends whatever is still open: transaction, advisory locks, plans. */
const closing = Buffer.concat([queryMessage('rollback'), queryMessage('discard all')])

/**
 * @param run undefined: the statement is only described.
 * @throws {GatewayError} 22021 for a text that cannot be sent to PostgreSQL.
 */
export function isolatedStatement(
  query: CatalogQuery,
  run: CatalogRun | undefined,
  scope: CatalogScope,
  context: GroupContext,
): ChildRequest {
  if (query.sql.includes('\0')) {
    throw new GatewayError('badRequest', 'invalid byte sequence for encoding "UTF8": 0x00', {
      sqlState: '22021',
    })
  }
  return {
    opening: Buffer.concat([
      queryMessage(`set session authorization ${superuserName}`),
      ...(context.renaming === undefined ? [] : [queryMessage(context.renaming)]),
      queryMessage(beginning(scope, context)),
    ]),
    statement: Buffer.concat([
      parseMessage(query.sql, query.parameterOids),
      describeStatementMessage(),
      syncMessage(),
    ]),
    execution:
      run === undefined
        ? undefined
        : Buffer.concat([
            bindMessage(run.parameters, run.parameterFormats, run.resultFormats),
            describePortalMessage(),
            executeMessage(run.maxRows + 1),
            syncMessage(),
          ]),
    closing,
  }
}

/** @throws {GatewayError} PostgreSQL's error for the statement. */
export function readDescription({ opening, statement }: ChildAnswer): CatalogDescription {
  throwError(backendMessages(opening))
  const messages = backendMessages(statement)
  throwError(messages)
  const parameters = messages.find(({ type }) => type === 't')
  const fields = messages.find(({ type }) => type === 'T')
  return {
    parameterOids: parameters === undefined ? [] : readParameterDescription(parameters.body),
    fields: fields === undefined ? [] : readRowDescription(fields.body),
  }
}

/** @throws {GatewayError} PostgreSQL's error for the statement; 0A000 for a statement without rows: it was not run. */
export function readAnswer(answer: ChildAnswer, maxRows: number): CatalogAnswer {
  readDescription(answer)
  const messages = backendMessages(answer.execution)
  throwError(messages)
  const fields = messages.find(({ type }) => type === 'T')
  if (fields === undefined) {
    throw new GatewayError('unsupported', 'only statements that return rows can be run here', {
      sqlState: '0A000',
    })
  }
  const rows = messages.filter(({ type }) => type === 'D').map(({ body }) => readDataRow(body))
  const tag = messages.find(({ type }) => type === 'C')
  const truncated = rows.length > maxRows
  return {
    fields: readRowDescription(fields.body),
    rows: truncated ? rows.slice(0, maxRows) : rows,
    tag: truncated || tag === undefined ? `SELECT ${maxRows}` : readCommandTag(tag.body),
    truncated,
  }
}

/** The role comes last: the statements before it need the superuser. */
function beginning(scope: CatalogScope, { user, defaults, publicSchema }: GroupContext): string {
  const settings = [...scope.settings].flatMap(([name, value]) => {
    const lowerCase = name.toLowerCase()
    if (defaults.get(lowerCase) === value && !changedHere.test(lowerCase)) return []
    if (lowerCase === 'search_path' && publicSchema !== undefined) {
      const shown = `${settingPrefix}search_path`
      return [[lowerCase, publicSchema.searchPath] as const, [shown, value] as const]
    }
    if (obeyed.has(lowerCase)) return [[lowerCase, value] as const]
    return settingName.test(lowerCase) ? [[`${settingPrefix}${lowerCase}`, value] as const] : []
  })
  const calls = [[`${settingPrefix}process_id`, String(scope.processId)] as const, ...settings].map(
    ([name, value]) =>
      `pg_catalog.engine_set_config(${quoteText(name)}, ${quoteText(value)}, true)`,
  )
  const becomeClient = `select pg_catalog.engine_set_config('session_authorization', ${quoteText(user)}, true)`
  const begin =
    publicSchema === undefined
      ? 'begin read only'
      : `begin; ${publicSchema.renaming}; set transaction read only`
  return `${begin}; select ${calls.join(', ')}; ${becomeClient}`
}

/** Settings whose value inside the group differs from the value outside. */
const changedHere = /^(transaction_.*|is_superuser|session_authorization)$/

const settingName = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/

/**
 * Settings that change the answers of catalogs. All others are only shown: applying them here has no use and could do
 * harm.
 */
const obeyed: ReadonlySet<string> = new Set([
  'application_name',
  'bytea_output',
  'datestyle',
  'default_text_search_config',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'extra_float_digits',
  'intervalstyle',
  'lock_timeout',
  'quote_all_identifiers',
  'search_path',
  'statement_timeout',
  'timezone',
  'work_mem',
  'xmlbinary',
  'xmloption',
])
