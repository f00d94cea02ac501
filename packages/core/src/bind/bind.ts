import type { Catalog, Connection } from '../catalog/catalog.ts'
import { GatewayError } from '../errors.ts'
import type { ParsedStatement } from '../sql/parse.ts'
import { unsupported } from './bind-error.ts'
import { bindQuery, unionBinder } from './bind-query.ts'
import { bindWrite, isWriteStatement } from './bind-write.ts'
import type { BoundStatement, CteId, Query, Write } from './bound-query.ts'
import type { CatalogView } from './context.ts'
import { createScope } from './create-scope.ts'
import { createParameterTypes } from './parameter-types.ts'
import type { Scope } from './scope.ts'
import type { StatementContext } from './statement-context.ts'
import { connectionOf, tableNameIn } from './table-address.ts'

/** What a statement is bound against. */
export interface BindOptions {
  readonly catalog: Catalog
  /** What the caller may name on the connection that the statement turns out to use. */
  readonly view: (connection: Connection) => CatalogView
  /** How many values the request brings. */
  readonly parameterCount: number
}

/**
 * Gives every name of a statement its meaning and every expression its type.
 *
 * @throws {GatewayError} `badRequest`, `unsupported`, `unknownColumn`, `tableNotFound` and what the view adds, with the
 *   position in the text where there is one.
 */
export function bindStatement(parsed: ParsedStatement, options: BindOptions): BoundStatement {
  const { catalog, parameterCount } = options
  requireParameters(parsed.parameterCount, parameterCount)
  const connection = connectionOf(parsed.relations, catalog)
  const view = options.view(connection)
  const root = createScope({ outer: undefined, view })
  const context = createContext(connection, view, root, catalog)
  const body = bindBody(parsed, root, context)
  return {
    connection,
    body,
    parameterTypes: context.parameters.finish(parameterCount),
    nextId: context.nextId(),
  }
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
  connection: Connection,
  view: CatalogView,
  root: Scope,
  catalog: Catalog,
): StatementContext {
  const { types } = connection
  let lastId = 0
  const context: StatementContext = {
    connection,
    types,
    view,
    parameters: createParameterTypes(types),
    openRecursions: new Set<CteId>(),
    nextId: () => {
      lastId += 1
      return lastId
    },
    tableNamed: (relation) =>
      view.table(tableNameIn(connection, relation, catalog), relation.location),
    bindSelect: (select, outer, selectOptions) => bindQuery(select, outer, context, selectOptions),
    bindQuery: (select, outer) =>
      bindQuery(select as object, outer ?? root, context, { keepUnknown: false }),
  }
  return context
}

function bindBody(
  { statement }: ParsedStatement,
  root: Scope,
  context: StatementContext,
): Query | Write {
  const bindUnion = unionBinder(context)
  // A write inside WITH has a WITH of its own that may only read.
  const bindInner = (node: object, outer: Scope) => {
    if (!isWriteStatement(node)) throw unsupported('this WITH query', undefined)
    return bindWrite(node, outer, context, { bindUnion })
  }
  if (!('SelectStmt' in statement)) {
    return bindWrite(statement, root, context, { bindUnion, bindWrite: bindInner })
  }
  return bindQuery(statement.SelectStmt, root, context, { keepUnknown: false }, bindInner)
}
