/**
 * @module The part of PostgreSQL's grammar that is accepted: every kind of node and every field of it. The binder never receives
 * a node or field that is not listed here.
 */

/**
 * The content of a field: one node, a list of them (`optionalNodes`: with empty places), the fields of a node of a known kind
 * without its wrapper, a text, number or flag, the position in the text, or one of some words. `{ always }`: the field must be
 * present with this value.
 */
export type FieldRule =
  | 'node'
  | 'nodes'
  | 'optionalNodes'
  | 'text'
  | 'number'
  | 'flag'
  | 'location'
  | { readonly fieldsOf: string }
  | { readonly oneOf: readonly string[] }
  | { readonly always: unknown }

export interface NodeRule {
  readonly fields: ReadonlyMap<string, FieldRule>
  /** Fields that must be present, and their values. */
  readonly always: readonly (readonly [name: string, value: unknown])[]
}

const fieldsOf = (kind: string): FieldRule => ({ fieldsOf: kind })
const oneOf = (...words: readonly string[]): FieldRule => ({ oneOf: words })

const rules: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  // Statements
  SelectStmt: {
    distinctClause: 'optionalNodes',
    targetList: 'nodes',
    fromClause: 'nodes',
    whereClause: 'node',
    groupClause: 'nodes',
    groupDistinct: 'flag',
    havingClause: 'node',
    windowClause: 'nodes',
    valuesLists: 'nodes',
    sortClause: 'nodes',
    limitOffset: 'node',
    limitCount: 'node',
    limitOption: oneOf('LIMIT_OPTION_DEFAULT', 'LIMIT_OPTION_COUNT', 'LIMIT_OPTION_WITH_TIES'),
    lockingClause: 'nodes',
    withClause: fieldsOf('WithClause'),
    op: oneOf('SETOP_NONE', 'SETOP_UNION', 'SETOP_INTERSECT', 'SETOP_EXCEPT'),
    all: 'flag',
    larg: fieldsOf('SelectStmt'),
    rarg: fieldsOf('SelectStmt'),
  },
  InsertStmt: {
    relation: fieldsOf('RangeVar'),
    cols: 'nodes',
    selectStmt: 'node',
    onConflictClause: fieldsOf('OnConflictClause'),
    returningClause: fieldsOf('ReturningClause'),
    withClause: fieldsOf('WithClause'),
    override: oneOf('OVERRIDING_NOT_SET', 'OVERRIDING_USER_VALUE', 'OVERRIDING_SYSTEM_VALUE'),
  },
  UpdateStmt: {
    relation: fieldsOf('RangeVar'),
    targetList: 'nodes',
    whereClause: 'node',
    fromClause: 'nodes',
    returningClause: fieldsOf('ReturningClause'),
    withClause: fieldsOf('WithClause'),
  },
  DeleteStmt: {
    relation: fieldsOf('RangeVar'),
    usingClause: 'nodes',
    whereClause: 'node',
    returningClause: fieldsOf('ReturningClause'),
    withClause: fieldsOf('WithClause'),
  },

  MergeStmt: {
    relation: fieldsOf('RangeVar'),
    sourceRelation: 'node',
    joinCondition: 'node',
    mergeWhenClauses: 'nodes',
    withClause: fieldsOf('WithClause'),
  },

  // Clauses
  MergeWhenClause: {
    matchKind: oneOf('MERGE_WHEN_MATCHED', 'MERGE_WHEN_NOT_MATCHED_BY_TARGET'),
    commandType: oneOf('CMD_UPDATE', 'CMD_INSERT', 'CMD_DELETE', 'CMD_NOTHING'),
    override: oneOf('OVERRIDING_NOT_SET', 'OVERRIDING_USER_VALUE', 'OVERRIDING_SYSTEM_VALUE'),
    condition: 'node',
    targetList: 'nodes',
    values: 'nodes',
  },
  WithClause: { ctes: 'nodes', recursive: 'flag', location: 'location' },
  CommonTableExpr: {
    ctename: 'text',
    aliascolnames: 'nodes',
    ctematerialized: oneOf('CTEMaterializeDefault', 'CTEMaterializeAlways', 'CTEMaterializeNever'),
    ctequery: 'node',
    search_clause: fieldsOf('CTESearchClause'),
    cycle_clause: fieldsOf('CTECycleClause'),
    location: 'location',
  },
  CTESearchClause: {
    search_col_list: 'nodes',
    search_breadth_first: 'flag',
    search_seq_column: 'text',
    location: 'location',
  },
  CTECycleClause: {
    cycle_col_list: 'nodes',
    cycle_mark_column: 'text',
    cycle_mark_value: 'node',
    cycle_mark_default: 'node',
    cycle_path_column: 'text',
    location: 'location',
  },
  ResTarget: { name: 'text', indirection: 'nodes', val: 'node', location: 'location' },
  MultiAssignRef: { source: 'node', colno: 'number', ncolumns: 'number' },
  SetToDefault: { location: 'location' },
  SortBy: {
    node: 'node',
    sortby_dir: oneOf('SORTBY_DEFAULT', 'SORTBY_ASC', 'SORTBY_DESC', 'SORTBY_USING'),
    sortby_nulls: oneOf('SORTBY_NULLS_DEFAULT', 'SORTBY_NULLS_FIRST', 'SORTBY_NULLS_LAST'),
    useOp: 'nodes',
    location: 'location',
  },
  GroupingSet: {
    kind: oneOf(
      'GROUPING_SET_EMPTY',
      'GROUPING_SET_ROLLUP',
      'GROUPING_SET_CUBE',
      'GROUPING_SET_SETS',
    ),
    content: 'nodes',
    location: 'location',
  },
  WindowDef: {
    name: 'text',
    refname: 'text',
    partitionClause: 'nodes',
    orderClause: 'nodes',
    frameOptions: 'number',
    startOffset: 'node',
    endOffset: 'node',
    location: 'location',
  },
  LockingClause: {
    lockedRels: 'nodes',
    strength: oneOf('LCS_FORKEYSHARE', 'LCS_FORSHARE', 'LCS_FORNOKEYUPDATE', 'LCS_FORUPDATE'),
    waitPolicy: oneOf('LockWaitBlock', 'LockWaitSkip', 'LockWaitError'),
  },
  OnConflictClause: {
    action: oneOf('ONCONFLICT_NOTHING', 'ONCONFLICT_UPDATE'),
    infer: fieldsOf('InferClause'),
    targetList: 'nodes',
    whereClause: 'node',
    location: 'location',
  },
  InferClause: {
    indexElems: 'nodes',
    whereClause: 'node',
    conname: 'text',
    location: 'location',
  },
  IndexElem: {
    name: 'text',
    expr: 'node',
    collation: 'nodes',
    opclass: 'nodes',
    ordering: oneOf('SORTBY_DEFAULT'),
    nulls_ordering: oneOf('SORTBY_NULLS_DEFAULT'),
  },
  ReturningClause: { exprs: 'nodes' },

  CurrentOfExpr: { cursor_name: 'text' },

  // FROM
  RangeVar: {
    catalogname: 'text',
    schemaname: 'text',
    relname: 'text',
    inh: 'flag',
    relpersistence: { always: 'p' },
    alias: fieldsOf('Alias'),
    location: 'location',
  },
  Alias: { aliasname: 'text', colnames: 'nodes' },
  JoinExpr: {
    jointype: oneOf('JOIN_INNER', 'JOIN_LEFT', 'JOIN_FULL', 'JOIN_RIGHT'),
    isNatural: 'flag',
    larg: 'node',
    rarg: 'node',
    usingClause: 'nodes',
    join_using_alias: fieldsOf('Alias'),
    quals: 'node',
    alias: fieldsOf('Alias'),
  },
  RangeTableSample: {
    relation: 'node',
    method: 'nodes',
    args: 'nodes',
    repeatable: 'node',
    location: 'location',
  },
  RangeSubselect: { lateral: 'flag', subquery: 'node', alias: fieldsOf('Alias') },
  RangeFunction: {
    lateral: 'flag',
    ordinality: 'flag',
    is_rowsfrom: 'flag',
    functions: 'nodes',
    alias: fieldsOf('Alias'),
    coldeflist: 'nodes',
  },
  ColumnDef: {
    colname: 'text',
    typeName: fieldsOf('TypeName'),
    is_local: { always: true },
    location: 'location',
  },

  // Expressions
  ColumnRef: { fields: 'nodes', location: 'location' },
  A_Star: {},
  ParamRef: { number: 'number', location: 'location' },
  A_Const: {
    ival: fieldsOf('Integer'),
    fval: fieldsOf('Float'),
    boolval: fieldsOf('Boolean'),
    sval: fieldsOf('String'),
    bsval: fieldsOf('BitString'),
    isnull: 'flag',
    location: 'location',
  },
  Integer: { ival: 'number' },
  Float: { fval: 'text' },
  Boolean: { boolval: 'flag' },
  String: { sval: 'text' },
  BitString: { bsval: 'text' },
  List: { items: 'optionalNodes' },
  A_Expr: {
    kind: oneOf(
      'AEXPR_OP',
      'AEXPR_OP_ANY',
      'AEXPR_OP_ALL',
      'AEXPR_DISTINCT',
      'AEXPR_NOT_DISTINCT',
      'AEXPR_NULLIF',
      'AEXPR_IN',
      'AEXPR_LIKE',
      'AEXPR_ILIKE',
      'AEXPR_SIMILAR',
      'AEXPR_BETWEEN',
      'AEXPR_NOT_BETWEEN',
      'AEXPR_BETWEEN_SYM',
      'AEXPR_NOT_BETWEEN_SYM',
    ),
    name: 'nodes',
    lexpr: 'node',
    rexpr: 'node',
    rexpr_list_start: 'number',
    rexpr_list_end: 'number',
    location: 'location',
  },
  TypeCast: { arg: 'node', typeName: fieldsOf('TypeName'), location: 'location' },
  TypeName: {
    names: 'nodes',
    typmods: 'nodes',
    typemod: 'number',
    arrayBounds: 'nodes',
    location: 'location',
  },
  CollateClause: { arg: 'node', collname: 'nodes', location: 'location' },
  FuncCall: {
    funcname: 'nodes',
    args: 'nodes',
    agg_order: 'nodes',
    agg_filter: 'node',
    over: fieldsOf('WindowDef'),
    agg_within_group: 'flag',
    agg_star: 'flag',
    agg_distinct: 'flag',
    func_variadic: 'flag',
    funcformat: oneOf('COERCE_EXPLICIT_CALL', 'COERCE_SQL_SYNTAX'),
    location: 'location',
  },
  NamedArgExpr: { arg: 'node', name: 'text', argnumber: 'number', location: 'location' },
  A_Indirection: { arg: 'node', indirection: 'nodes' },
  A_Indices: { is_slice: 'flag', lidx: 'node', uidx: 'node' },
  A_ArrayExpr: {
    elements: 'nodes',
    list_start: 'number',
    list_end: 'number',
    location: 'location',
  },
  RowExpr: {
    args: 'nodes',
    row_format: oneOf('COERCE_IMPLICIT_CAST', 'COERCE_EXPLICIT_CALL'),
    location: 'location',
  },
  SubLink: {
    subLinkType: oneOf(
      'EXISTS_SUBLINK',
      'ALL_SUBLINK',
      'ANY_SUBLINK',
      'EXPR_SUBLINK',
      'ARRAY_SUBLINK',
    ),
    testexpr: 'node',
    operName: 'nodes',
    subselect: 'node',
    location: 'location',
  },
  BoolExpr: {
    boolop: oneOf('AND_EXPR', 'OR_EXPR', 'NOT_EXPR'),
    args: 'nodes',
    location: 'location',
  },
  NullTest: {
    arg: 'node',
    nulltesttype: oneOf('IS_NULL', 'IS_NOT_NULL'),
    location: 'location',
  },
  BooleanTest: {
    arg: 'node',
    booltesttype: oneOf(
      'IS_TRUE',
      'IS_NOT_TRUE',
      'IS_FALSE',
      'IS_NOT_FALSE',
      'IS_UNKNOWN',
      'IS_NOT_UNKNOWN',
    ),
    location: 'location',
  },
  CaseExpr: { arg: 'node', args: 'nodes', defresult: 'node', location: 'location' },
  CaseWhen: { expr: 'node', result: 'node', location: 'location' },
  CoalesceExpr: { args: 'nodes', location: 'location' },
  MinMaxExpr: { op: oneOf('IS_GREATEST', 'IS_LEAST'), args: 'nodes', location: 'location' },
  GroupingFunc: { args: 'nodes', location: 'location' },
  SQLValueFunction: {
    op: oneOf(
      'SVFOP_CURRENT_DATE',
      'SVFOP_CURRENT_TIME',
      'SVFOP_CURRENT_TIME_N',
      'SVFOP_CURRENT_TIMESTAMP',
      'SVFOP_CURRENT_TIMESTAMP_N',
      'SVFOP_LOCALTIME',
      'SVFOP_LOCALTIME_N',
      'SVFOP_LOCALTIMESTAMP',
      'SVFOP_LOCALTIMESTAMP_N',
    ),
    typmod: 'number',
    location: 'location',
  },
}

/** By kind of node. */
export const acceptedNodes: ReadonlyMap<string, NodeRule> = new Map(
  Object.entries(rules).map(([kind, fields]) => [
    kind,
    {
      fields: new Map(Object.entries(fields)),
      always: Object.entries(fields).flatMap(([name, rule]) =>
        typeof rule === 'object' && 'always' in rule ? [[name, rule.always] as const] : [],
      ),
    },
  ]),
)
