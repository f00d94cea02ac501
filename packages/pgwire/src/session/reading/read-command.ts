/** @module Reads commands that control the session from their syntax trees. */
import { GatewayError } from '@engine/core'
import { listInBrackets, textAfterWord } from '../../syntax/nested-text.ts'
import { statementRelations } from '../../syntax/statement-relations.ts'
import { type Fields, fieldsOf, listOf, stringNodes, textOf } from '../../syntax/syntax-node.ts'
import type {
  RouteStatement,
  SessionCommand,
  StatementText,
  TypeName,
} from '../statements/client-statement.ts'
import { innerStatement } from '../statements/inner-statement.ts'
import { readCopy } from './read-copy.ts'
import { readExplain } from './read-explain.ts'
import { readVariableSet } from './read-setting.ts'
import { readTransaction } from './read-transaction.ts'

/**
 * Undefined for a statement that is not a command of the session.
 *
 * @throws {GatewayError} for a command that is not supported.
 */
export function readCommand(
  kind: string,
  fields: Fields,
  text: StatementText,
  route: RouteStatement,
): SessionCommand | undefined {
  const name = textOf(fields['name'])
  switch (kind) {
    case 'TransactionStmt':
      return readTransaction(fields)
    case 'VariableSetStmt':
      return readVariableSet(fields)
    case 'VariableShowStmt':
      return { kind: 'show', name: name ?? '' }
    case 'DiscardStmt':
      return { kind: 'discard', what: discarded(fields['target']) }
    case 'PrepareStmt':
      return {
        kind: 'prepare',
        text: text.sql,
        name: name ?? '',
        parameterTypes: listOf(fields['argtypes']).map((type) => typeName(type, text)),
        statement: innerStatement(fields['query'], text, textAfterWord(text.sql, 'as'), route),
      }
    case 'ExecuteStmt':
      return { kind: 'execute', name: name ?? '', argumentTexts: argumentTexts(fields, text) }
    case 'DeallocateStmt':
      return { kind: 'deallocate', name }
    case 'DeclareCursorStmt':
      return declareCursor(fields, text, route)
    case 'FetchStmt':
      return fetch(fields)
    case 'ClosePortalStmt':
      return { kind: 'closeCursor', name: textOf(fields['portalname']) }
    case 'CopyStmt':
      return readCopy(fields, text, route)
    case 'ExplainStmt':
      return readExplain(fields, text, route)
    case 'ListenStmt':
      return { kind: 'listen', channel: textOf(fields['conditionname']) ?? '' }
    case 'UnlistenStmt':
      return { kind: 'unlisten', channel: textOf(fields['conditionname']) }
    case 'NotifyStmt':
      return {
        kind: 'notify',
        channel: textOf(fields['conditionname']) ?? '',
        payload: textOf(fields['payload']) ?? '',
      }
    default:
      return undefined
  }
}

function argumentTexts(fields: Fields, text: StatementText): readonly string[] {
  return listOf(fields['params']).length === 0 ? [] : listInBrackets(text.sql)
}

function discarded(target: unknown): 'all' | 'plans' | 'sequences' | 'temp' {
  switch (target) {
    case 'DISCARD_PLANS':
      return 'plans'
    case 'DISCARD_SEQUENCES':
      return 'sequences'
    case 'DISCARD_TEMP':
      return 'temp'
    default:
      return 'all'
  }
}

function typeName(tree: unknown, text: StatementText): TypeName {
  const type = fieldsOf(fieldsOf(tree)['TypeName'])
  const path = stringNodes(type['names'])
  return {
    schema: path.at(-2),
    name: path.at(-1) ?? '',
    isArray: listOf(type['arrayBounds']).length > 0,
    position: text.positionOf(Number(type['location'] ?? 0)),
  }
}

/** @see parsenodes.h of PostgreSQL */
const cursorOptions = { binary: 1, scroll: 2, noScroll: 4, insensitive: 8, hold: 32 } as const

function declareCursor(fields: Fields, text: StatementText, route: RouteStatement): SessionCommand {
  if (statementRelations(fields['query']).some((relation) => relation.isWritten)) {
    throw new GatewayError(
      'unsupported',
      'DECLARE CURSOR must not contain data-modifying statements in WITH',
      { sqlState: '0A000' },
    )
  }
  const options = Number(fields['options'] ?? 0)
  const scrolls = (options & cursorOptions.scroll) !== 0
  const isStated = scrolls || (options & cursorOptions.noScroll) !== 0
  return {
    kind: 'declareCursor',
    text: text.sql,
    name: textOf(fields['portalname']) ?? '',
    statement: innerStatement(fields['query'], text, textAfterWord(text.sql, 'for'), route),
    isScrollable: isStated ? scrolls : undefined,
    isHeld: (options & cursorOptions.hold) !== 0,
    isInsensitive: (options & cursorOptions.insensitive) !== 0,
    isBinary: (options & cursorOptions.binary) !== 0,
  }
}

/** The parser's node for ALL. */
const fetchAll = 2_147_483_647

const directions = {
  FETCH_FORWARD: 'forward',
  FETCH_BACKWARD: 'backward',
  FETCH_ABSOLUTE: 'absolute',
  FETCH_RELATIVE: 'relative',
} as const

function fetch(fields: Fields): SessionCommand {
  const direction = (textOf(fields['direction']) ?? 'FETCH_FORWARD') as keyof typeof directions
  const count = Number(fields['howMany'] ?? 0)
  return {
    kind: 'fetch',
    name: textOf(fields['portalname']) ?? '',
    direction: directions[direction],
    count: count === fetchAll ? Number.POSITIVE_INFINITY : count,
    isMove: fields['ismove'] === true,
  }
}
