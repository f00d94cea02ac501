import { GatewayError } from '../../foundation/errors.ts'
import { runSteps, type Steps } from '../../foundation/steps.ts'
import type { Catalog, Connection, Table } from '../catalog/catalog.ts'
import { onlyOf } from '../catalog/partitions.ts'
import { unsupported } from '../sql/bind-error.ts'
import type { ParsedStatement } from '../sql/parse.ts'
import type { Oid } from '../sql-types/pg-type.ts'
import { requireNextValuePlaces } from './next-value-places.ts'
import { refuseOtherSettings } from './refuse-other-settings.ts'
import type { CatalogView } from './scope/context.ts'
import { createScope } from './scope/create-scope.ts'
import { createParameterTypes } from './scope/parameter-types.ts'
import type { Scope } from './scope/scope.ts'
import type { StatementContext } from './scope/statement-context.ts'
import {
  connectionOf,
  qualifiersOf,
  type SearchPath,
  schemaNamed,
  tableKeyIn,
  tableQualifiers,
} from './scope/table-address.ts'
import { bindQuery, bindQueryInSteps, unionBinder } from './select/bind-query.ts'
import { bindCursorRows } from './select/cursor-rows.ts'
import { addTableOids } from './table-oids.ts'
import type { BoundStatement, CteId, Query, RelationId, Write } from './tree/bound-query.ts'
import type { CursorReference } from './tree/current-row.ts'
import { isWrite } from './tree/map-query.ts'
import type { SessionTimeZone } from './tree/session-time-zone.ts'
import { bindMerge } from './write/bind-merge.ts'
import { bindWrite, isWriteStatement } from './write/bind-write.ts'

/** The context that a statement is bound against. */
export interface BindOptions {
  readonly catalog: Catalog
  /** The names visible to the caller on the connection that the statement uses. */
  readonly view: (connection: Connection) => CatalogView
  /** The number of values in the request; undefined while it is unknown: then the text and `declared` decide it. */
  readonly parameterCount: number | undefined
  /** Types that the client declares for its parameters; 0 where the type is to be inferred. */
  readonly declared?: readonly Oid[] | undefined
  /** Connections whose tables need no qualifier, the first match wins. Undefined: the default connection, if there is one. */
  readonly searchPath?: readonly string[] | undefined
  /** May the caller do something with a table? Names of the search path mean such tables first; absent: every table. */
  readonly mayUse?: SearchPath['mayUse'] | undefined
  /** The client's time zone, if it is not UTC. */
  readonly timeZone?: SessionTimeZone | undefined
  /** See `BindContext.textSearch`. */
  readonly textSearch?: string | undefined
  /** The rows are those of a cursor: see `BoundStatement.cursorRows`. */
  readonly isCursor?: boolean | undefined
  /**
   * Does the database run statements with the settings of the session? If not, everything is refused that depends on another zone
   * than UTC or on another style than ISO.
   */
  readonly hasSettings?: (connection: Connection) => boolean
}

/**
 * Resolves every name of a statement and gives every expression its type.
 *
 * @throws {GatewayError} `badRequest`, `unsupported`, `unknownColumn`, `tableNotFound` and the errors of the view, with the
 *   position in the text where there is one.
 */
export function bindStatement(parsed: ParsedStatement, options: BindOptions): BoundStatement {
  return runSteps(bindInSteps(parsed, options))
}

/** The same in steps: the outputs of the outermost SELECT are bound one by one, and so are the members of a set operation. */
export function* bindInSteps(parsed: ParsedStatement, options: BindOptions): Steps<BoundStatement> {
  const { catalog, declared = [] } = options
  const searchPath = searchPathOf(options)
  const { parameterCount = Math.max(parsed.parameterCount, declared.length) } = options
  if (options.parameterCount !== undefined) requireParameters(parsed.parameterCount, parameterCount)
  const named = [...parsed.relations, ...parsed.sequences]
  const connection = connectionOf(named, catalog, searchPath)
  const view = options.view(connection)
  const root = createScope({ outer: undefined, view })
  const cursors = cursorReferences(parameterCount)
  const context = createContext(parsed, connection, view, root, { ...options, searchPath, cursors })
  const written = yield* bindBody(parsed, root, context)
  yield
  const cursor =
    options.isCursor !== true || isWrite(written) ? undefined : bindCursorRows(written, context)
  const body = cursor?.query ?? written
  const statement = addTableOids(context.tableOids ?? new Map(), {
    connection,
    body,
    parameterTypes: context.parameters.finish(parameterCount),
    nextId: context.nextId(),
    ...(cursors.named.length === 0 ? {} : { cursors: cursors.named }),
    ...(cursor === undefined ? {} : { cursorRows: cursor.rows }),
  })
  if (parsed.sequences.length > 0) requireNextValuePlaces(statement)
  if (options.timeZone !== undefined && options.hasSettings?.(connection) !== true) {
    refuseOtherSettings(statement, options.timeZone)
  }
  return statement
}

/** @param first index of the first parameter after those of the client. */
function cursorReferences(
  first: number,
): StatementContext['cursors'] & { readonly named: readonly CursorReference[] } {
  const named: CursorReference[] = []
  return {
    named,
    add: (cursor, table) => {
      const index = first + 2 * named.length
      named.push({ cursor, table, index })
      return index
    },
  }
}

function searchPathOf({ searchPath, mayUse = () => true }: BindOptions): SearchPath | undefined {
  return searchPath && { names: searchPath, mayUse }
}

function requireParameters(used: number, given: number): void {
  if (used === given) return
  throw new GatewayError(
    'invalidParameter',
    `the statement uses parameters up to $${used}, the number of values sent is ${given}`,
    { sqlState: '08P01' },
  )
}

function createContext(
  { repeated }: ParsedStatement,
  connection: Connection,
  view: CatalogView,
  root: Scope,
  {
    catalog,
    searchPath,
    declared,
    timeZone,
    textSearch,
    hasSettings,
    cursors,
  }: Omit<BindOptions, 'searchPath'> & {
    readonly searchPath: SearchPath | undefined
    readonly cursors: StatementContext['cursors']
  },
): StatementContext {
  const { types } = view
  let lastId = 0
  const context: StatementContext = {
    connection,
    qualifiers: qualifiersOf(connection, catalog),
    schemaNamed: (qualifier) => schemaNamed(qualifier, connection, catalog),
    tableQualifiers: (relation, table) => tableQualifiers(relation, table, connection, catalog),
    types,
    view,
    parameters: createParameterTypes(types, declared),
    timeZone,
    textSearch,
    computesInZone: timeZone?.computedIn !== undefined && hasSettings?.(connection) === true,
    openRecursions: new Set<CteId>(),
    tableOids: new Map<RelationId, Table>(),
    cursors,
    repeated,
    nextId: () => {
      lastId += 1
      return lastId
    },
    tableNamed: (relation) => {
      const key = tableKeyIn(connection, relation, catalog, searchPath)
      const table = view.table(key, relation.location)
      return relation.inh === true ? table : onlyOf(table)
    },
    relationKey: (relation, exists) =>
      tableKeyIn(connection, relation, catalog, searchPath, exists),
    bindSelect: (select, outer, selectOptions) => bindQuery(select, outer, context, selectOptions),
    bindSelectInSteps: (select, outer, selectOptions) =>
      bindQueryInSteps(select, outer, context, selectOptions),
    bindQuery: (select, outer) =>
      bindQuery(select as object, outer ?? root, context, { keepUnknown: false }),
  }
  return context
}

function* bindBody(
  { statement }: ParsedStatement,
  root: Scope,
  context: StatementContext,
): Steps<Query | Write> {
  const bindUnion = unionBinder(context)
  // A write inside WITH has a WITH of its own, which may contain reads only.
  const bindInner = (node: object, outer: Scope) => {
    if ('MergeStmt' in node) throw unsupported('MERGE in WITH', undefined)
    if (!isWriteStatement(node)) throw unsupported('this WITH query', undefined)
    return bindWrite(node, outer, context, { bindUnion })
  }
  if ('MergeStmt' in statement) {
    return bindMerge(statement.MergeStmt, root, context, { bindUnion, bindWrite: bindInner })
  }
  if (!('SelectStmt' in statement)) {
    return bindWrite(statement, root, context, { bindUnion, bindWrite: bindInner })
  }
  const options = { keepUnknown: false }
  return yield* bindQueryInSteps(statement.SelectStmt, root, context, options, bindInner)
}
