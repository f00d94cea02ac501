/** @module Constructs that are refused by name, with an alternative. */

const batch = 'send statements that belong together to POST /data/batch'
const ddl = 'Engine changes rows, never the schema: run it on the database itself'
const settings = 'every request has its own settings'

/** Statements, by the parser's name for them: the name that clients use, and the alternative. */
const statements: ReadonlyMap<string, readonly [name: string, advice: string]> = new Map([
  ['TransactionStmt', ['Transaction control (BEGIN, COMMIT, ROLLBACK, SAVEPOINT)', batch]],
  [
    'ExplainStmt',
    [
      'EXPLAIN',
      'plans are only for callers who may see and do everything, one statement at a time',
    ],
  ],
  ['VariableSetStmt', ['SET', settings]],
  ['VariableShowStmt', ['SHOW', 'GET /schema describes what exists']],
  ['DiscardStmt', ['DISCARD', settings]],
  ['CopyStmt', ['COPY', 'use INSERT and SELECT']],
  ['DoStmt', ['DO', 'define an action for code that runs on the server']],
  ['CallStmt', ['CALL', 'define an action for code that runs on the server']],
  ['ListenStmt', ['LISTEN', 'connections are not kept']],
  ['UnlistenStmt', ['UNLISTEN', 'connections are not kept']],
  ['NotifyStmt', ['NOTIFY', 'connections are not kept']],
  ['PrepareStmt', ['PREPARE', 'statements are prepared by themselves; send values as params']],
  ['ExecuteStmt', ['EXECUTE', 'statements are prepared by themselves; send values as params']],
  ['DeallocateStmt', ['DEALLOCATE', 'statements are prepared by themselves']],
  ['DeclareCursorStmt', ['DECLARE CURSOR', 'use LIMIT and OFFSET']],
  ['FetchStmt', ['FETCH', 'use LIMIT and OFFSET']],
  ['ClosePortalStmt', ['CLOSE', 'use LIMIT and OFFSET']],
  ['LockStmt', ['LOCK', 'use SELECT … FOR UPDATE']],
  ['VacuumStmt', ['VACUUM and ANALYZE', ddl]],
  ['TruncateStmt', ['TRUNCATE', 'use DELETE']],
  ['CreateStmt', ['CREATE TABLE', ddl]],
  ['IndexStmt', ['CREATE INDEX', ddl]],
  ['ViewStmt', ['CREATE VIEW', ddl]],
  ['CreateTableAsStmt', ['CREATE TABLE AS', ddl]],
  ['RefreshMatViewStmt', ['REFRESH MATERIALIZED VIEW', 'run it on the database itself']],
  ['GrantStmt', ['GRANT and REVOKE', 'permissions are part of the configuration']],
  ['GrantRoleStmt', ['GRANT and REVOKE', 'permissions are part of the configuration']],
])

/** The reason for refusing a statement of this kind. */
export function refusedStatement(kind: string): string {
  const [name, advice] = statements.get(kind) ?? [statementName(kind), ddl]
  return `${name} is not supported: ${advice}`
}

/** `CreateStmt` → `CREATE`, `AlterTableStmt` → `ALTER TABLE`: good enough for statements that clients do not send. */
function statementName(kind: string): string {
  const words = kind.replace(/Stmt$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return `This statement (${words.toUpperCase()})`
}

/** Nodes, and fields of accepted nodes (`Kind.field`), as the subject of `… is not supported`. */
const constructs: ReadonlyMap<string, string> = new Map([
  ['SelectStmt.intoClause', 'SELECT INTO'],
  ['IndexElem.opclassopts', 'An operator class with options in the target of ON CONFLICT'],
  ['ReturningClause.options', 'RETURNING WITH (OLD, NEW)'],
  ['RangeVar.relpersistence', 'A temporary table'],
  ['ColumnDef', 'A column definition list'],
  ['TypeName.setof', 'SETOF'],
  ['TypeName.pct_type', '%TYPE'],
  ['RangeTableFunc', 'XMLTABLE'],
  ['JsonTable', 'JSON_TABLE'],
  ['SQLValueFunction.op', 'CURRENT_USER, CURRENT_SCHEMA or the like'],
  ['MergeSupportFunc', 'merge_action'],
  ['MergeStmt.returningClause', 'RETURNING of MERGE'],
  ['MergeWhenClause.matchKind', 'WHEN NOT MATCHED BY SOURCE'],
  ['XmlExpr', 'XML'],
  ['XmlSerialize', 'XMLSERIALIZE'],
  ['JsonFuncExpr', 'JSON_EXISTS, JSON_VALUE and JSON_QUERY'],
  ['JsonIsPredicate', 'IS JSON'],
  ['JsonObjectConstructor', 'JSON_OBJECT (use json_build_object)'],
  ['JsonArrayConstructor', 'JSON_ARRAY (use json_build_array)'],
  ['JsonArrayQueryConstructor', 'JSON_ARRAY (use json_agg)'],
  ['JsonObjectAgg', 'JSON_OBJECTAGG (use json_object_agg)'],
  ['JsonArrayAgg', 'JSON_ARRAYAGG (use json_agg)'],
  ['JsonParseExpr', 'JSON()'],
  ['JsonScalarExpr', 'JSON_SCALAR (use to_json)'],
  ['JsonSerializeExpr', 'JSON_SERIALIZE'],
])

/** Names a node or a field of one for the message of its refusal. */
export function constructName(kind: string, field?: string): string {
  const key = field === undefined ? kind : `${kind}.${field}`
  return constructs.get(key) ?? `This construct (${key})`
}
