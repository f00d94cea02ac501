/** @module nextval() and its relatives. */
import type { FuncCall } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { ColumnSequence, NamedSequence, Table } from '../../catalog/catalog.ts'
import { bindError, located, positioned, quotedName } from '../../sql/bind-error.ts'
import { type SequenceName, sequenceNameOf } from '../../sql/sequence-name.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import { coerceTo } from '../coercion/coerce.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { Constant, Expression, FunctionCall } from '../tree/expression.ts'
import { currentValue, lastValue, nextValue, setValue, setValueCalled } from '../tree/next-value.ts'

const sequenceFunctions: ReadonlySet<string> = new Set(['nextval', 'currval', 'lastval', 'setval'])

export function isSequenceFunction(name: string): boolean {
  return sequenceFunctions.has(name)
}

/**
 * Binds `nextval('orders_id_seq')` and `currval('orders_id_seq')` to a sequence of a column that the caller may read and insert. A caller
 * without any restriction may name every sequence, and set it: `setval('orders_id_seq', 10)`.
 *
 * @throws {GatewayError} `unsupported` (0A000) for the other functions and for a name that is no constant; `badRequest` (42P01) for a
 *   sequence that does not exist or that the caller may not use.
 */
export function bindSequenceCall(
  name: string,
  node: FuncCall,
  environment: ExpressionEnvironment,
  bind: BindNode,
): FunctionCall {
  const { location: position } = node
  if (name === 'setval' && environment.context.view.isUnrestricted === false) {
    throw refused('setval()', position, 'Set the number on the database itself.')
  }
  if (name === 'lastval') return bindLastValue(node, environment)
  const meant = sequenceNameOf(node)
  if (meant === undefined) {
    const what = `${name}() of anything but a constant`
    throw refused(what, position, `Write ${name}('<sequence>').`)
  }
  const { sequence, numbered } = found(meant, environment.context)
  const { schema, name: native } = sequence.native
  const constant: Constant = {
    kind: 'constant',
    value: `${quotedName(schema)}.${quotedName(native)}`,
    type: { oid: oids.regclass, typmod: -1 },
  }
  const { called, args } = calledFor(name, node, environment, bind)
  return {
    kind: 'call',
    function: called,
    args: [constant, ...args],
    ...(numbered && { numbered }),
    type: { oid: oids.int8, typmod: -1 },
    ...positioned(position),
  }
}

/** @throws {GatewayError} 42883 for another number of arguments than the function has. */
function calledFor(
  name: string,
  { args = [], location: position }: FuncCall,
  environment: ExpressionEnvironment,
  bind: BindNode,
): { readonly called: PgFunction; readonly args: readonly Expression[] } {
  if (name !== 'setval') return { called: name === 'currval' ? currentValue : nextValue, args: [] }
  const [, number, isCalled, ...others] = args
  if (number === undefined || others.length > 0) {
    const message =
      'function setval() takes the name of a sequence, a number, and whether it was called'
    throw bindError(message, { sqlState: '42883', position })
  }
  const given = [number, ...(isCalled === undefined ? [] : [isCalled])]
  const types = [oids.int8, oids.bool]
  return {
    called: given.length === 1 ? setValue : setValueCalled,
    args: given.map((each, i) =>
      coerceTo(
        bind(each, environment),
        { oid: types[i] ?? oids.int8, typmod: -1 },
        'implicit',
        environment,
      ),
    ),
  }
}

/** A trigger may have drawn the number, from a sequence that the caller may know nothing of. */
function bindLastValue(
  { args = [], location: position }: FuncCall,
  { context }: ExpressionEnvironment,
): FunctionCall {
  if (args.length > 0 || context.view.isUnrestricted === false) {
    throw refused('lastval()', position, "Use currval('<sequence>'), or INSERT … RETURNING.")
  }
  return {
    kind: 'call',
    function: lastValue,
    args: [],
    type: { oid: oids.int8, typmod: -1 },
    ...positioned(position),
  }
}

function refused(what: string, position: number | undefined, hint: string): GatewayError {
  return new GatewayError('unsupported', located(`${what} is not supported`, position), {
    sqlState: '0A000',
    details: { hint },
    ...positioned(position),
  })
}

interface FoundSequence {
  readonly sequence: NamedSequence
  /** Undefined for a sequence that numbers no column of the connection. */
  readonly numbered: FunctionCall['numbered']
}

function found(meant: SequenceName, { connection, view, relationKey }: BindContext): FoundSequence {
  const { location: position } = meant.relation
  const matches = (isMeant: (table: Table, column: string, sequence: ColumnSequence) => boolean) =>
    [...connection.tables.values()]
      .flatMap((table) => usableSequences(table, view.numbered?.(table) ?? 'all'))
      .find(({ table, column, sequence }) =>
        isMeant(table, table.columns[column]?.name ?? '', sequence),
      )
  if (meant.kind === 'column') {
    const key = relationKey(meant.relation, (named, name) => named.tables.has(name))
    const owned = matches(
      (table, column, { use }) => table.key === key && column === meant.column && use !== 'default',
    )
    if (owned !== undefined) return { sequence: owned.sequence, numbered: columnOf(owned) }
    const of = `column ${quotedName(meant.column)} of relation ${quotedName(meant.relation.relname ?? '')}`
    throw missing(`${of} has no sequence`, position)
  }
  const free = (of: BindContext['connection']) =>
    view.isUnrestricted === false ? [] : (of.sequences ?? [])
  const key = relationKey(
    meant.relation,
    (of, name) => hasSequence(of, name) || free(of).some((each) => each.key === name),
  )
  const named = matches((_, __, sequence) => sequence.key === key)
  if (named !== undefined) return { sequence: named.sequence, numbered: columnOf(named) }
  const other = free(connection).find((each) => each.key === key)
  if (other !== undefined) return { sequence: other, numbered: undefined }
  throw missing(`relation "${nameText(meant)}" does not exist`, position)
}

function columnOf({ table, column }: UsableSequence): FunctionCall['numbered'] {
  return { table, column }
}

function hasSequence({ tables }: BindContext['connection'], name: string): boolean {
  return [...tables.values()].some(({ columns }) =>
    columns.some(({ sequences = [] }) => sequences.some(({ key }) => key === name)),
  )
}

interface UsableSequence {
  readonly table: Table
  readonly column: number
  readonly sequence: ColumnSequence
}

function usableSequences(
  table: Table,
  usable: 'all' | ReadonlySet<number>,
): readonly UsableSequence[] {
  return table.columns.flatMap(({ ordinal, sequences = [] }) =>
    usable === 'all' || usable.has(ordinal)
      ? sequences.map((sequence) => ({ table, column: ordinal, sequence }))
      : [],
  )
}

function nameText({ relation }: SequenceName): string {
  return [relation.catalogname, relation.schemaname, relation.relname]
    .filter((part) => part !== undefined)
    .join('.')
}

function missing(message: string, position: number | undefined): GatewayError {
  return bindError(message, { sqlState: '42P01', position })
}
