/** @module Statements that this server does not support, and the messages that refuse them. */

import { GatewayError } from '@engine/core'
import { forEachToken } from '@engine/core/session'

const ofDatabase = 'run it on the database itself'

/** Advice for statements where the general message (the schema is not changed here) is not enough. */
const advice: ReadonlyMap<string, string> = new Map([
  ['DoStmt', 'use an action for code that runs on the server'],
  ['CallStmt', 'use an action for code that runs on the server'],
  ['LockStmt', 'use SELECT … FOR UPDATE'],
  ['TruncateStmt', 'use DELETE'],
  ['GrantStmt', 'permissions are part of the configuration'],
  ['GrantRoleStmt', 'permissions are part of the configuration'],
  ['VacuumStmt', ofDatabase],
  ['ClusterStmt', ofDatabase],
  ['ReindexStmt', ofDatabase],
  ['CheckPointStmt', ofDatabase],
  ['LoadStmt', ofDatabase],
  ['AlterSystemStmt', ofDatabase],
  ['RefreshMatViewStmt', ofDatabase],
  ['TransactionStmt', 'two-phase commit is not offered'],
  ['ConstraintsSetStmt', 'constraints are checked when the database says'],
])

/**
 * @param kind the parser's name for the statement
 * @param name its command tag
 */
export function refusedStatement(kind: string, name: string): GatewayError {
  const reason = advice.get(kind) ?? 'the schema is changed on the database itself'
  return unsupported(`${name} is not supported: ${reason}`)
}

/** @param message what is not supported, and what to do instead */
export function unsupported(message: string): GatewayError {
  return new GatewayError('unsupported', message, { sqlState: '0A000' })
}

/** Words between the verb and the kind of object; command tags leave them out. */
const fillers: ReadonlySet<string> = new Set(
  'OR REPLACE GLOBAL LOCAL TEMP TEMPORARY UNLOGGED UNIQUE RECURSIVE TRUSTED PROCEDURAL CONSTRAINT'.split(
    ' ',
  ),
)

/** Words that name kinds of objects. */
const objects: ReadonlySet<string> = new Set(
  (
    'ACCESS METHOD AGGREGATE CAST COLLATION CONVERSION DATABASE DEFAULT PRIVILEGES DOMAIN EVENT TRIGGER EXTENSION ' +
    'FOREIGN DATA WRAPPER TABLE FUNCTION GROUP INDEX LANGUAGE LARGE OBJECT MATERIALIZED VIEW OPERATOR CLASS FAMILY ' +
    'OWNED POLICY PROCEDURE PUBLICATION ROLE ROUTINE RULE SCHEMA SEQUENCE SERVER STATISTICS SUBSCRIPTION SYSTEM ' +
    'TABLESPACE TEXT SEARCH CONFIGURATION DICTIONARY PARSER TEMPLATE TRANSFORM TYPE USER MAPPING LABEL CONSTRAINTS ' +
    'PREPARED TRANSACTION'
  ).split(' '),
)

/** The beginning of a statement as in PostgreSQL's command tags: `create or replace view x` is `CREATE VIEW`. */
export function commandName(sql: string): string {
  const words: string[] = []
  let isOver = false
  forEachToken(sql, (kind, start, end) => {
    if (isOver) return
    const word = kind === 'word' ? sql.slice(start, end).toUpperCase() : ''
    if (words.length > 0 && fillers.has(word)) return
    if (word === '' || (words.length > 0 && !objects.has(word))) isOver = true
    else words.push(word)
  })
  return words.join(' ')
}
