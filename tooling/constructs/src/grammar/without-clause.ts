/** @module Parts of the grammar that have no statement of their own, each with the reason. */

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Kinds of nodes that the parser never returns: those of analysis and planning, and of its other messages. */
export const neverParsed: readonly string[] = list(`
  ParseResult ScanResult ScanToken SummaryResult Table Function FilterColumn RawStmt OidList IntList
  TableFunc Var Param Aggref WindowFunc WindowFuncRunCondition SubscriptingRef FuncExpr OpExpr DistinctExpr NullIfExpr
  ScalarArrayOpExpr SubPlan AlternativeSubPlan FieldSelect FieldStore RelabelType CoerceViaIO ArrayCoerceExpr
  ConvertRowtypeExpr CollateExpr CaseTestExpr ArrayExpr RowCompareExpr JsonConstructorExpr JsonExpr
  JsonTablePath JsonTablePathScan JsonTableSiblingJoin MergeAction CoerceToDomain CoerceToDomainValue NextValueExpr
  InferenceElem ReturningExpr TargetEntry RangeTblRef FromExpr OnConflictExpr Query RangeTblEntry RTEPermissionInfo
  RangeTblFunction TableSampleClause WithCheckOption SortGroupClause WindowClause RowMarkClause SetOperationStmt
  PLAssignStmt InlineCodeBlock CallContext`)

/** Kinds of nodes of statements that define or administer something: each such statement is tried as a whole. */
export const ofDefinitions: readonly string[] = list(`
  AlterTableCmd ATAlterConstraint AccessPriv Constraint CreateOpClassItem CreatePLangStmt DefElem FunctionParameter
  IntoClause ObjectWithArgs PartitionBoundSpec PartitionCmd PartitionElem PartitionRangeDatum PartitionSpec
  PublicationObjSpec PublicationTable RoleSpec StatsElem TableLikeClause TriggerTransition VacuumRelation`)

/** A statement with \`$1\` needs values: those of the corpus have some. */
export const parameters: readonly string[] = ['ParamRef']

/** Fields that analysis fills, or the parser never. */
const ofAnalysis: readonly string[] = list(`
  GroupingFunc.xpr GroupingFunc.refs GroupingFunc.agglevelsup MergeSupportFunc.xpr MergeSupportFunc.msfcollid
  NamedArgExpr.xpr BoolExpr.xpr SubLink.xpr SubLink.subLinkId CaseExpr.xpr CaseExpr.casetype CaseExpr.casecollid
  CaseWhen.xpr RowExpr.xpr RowExpr.row_typeid RowExpr.colnames CoalesceExpr.xpr CoalesceExpr.coalescetype
  CoalesceExpr.coalescecollid MinMaxExpr.xpr MinMaxExpr.minmaxtype MinMaxExpr.minmaxcollid
  MinMaxExpr.inputcollid SQLValueFunction.xpr SQLValueFunction.type XmlExpr.xpr XmlExpr.arg_names XmlExpr.indent
  XmlExpr.type XmlExpr.typmod JsonReturning.typid JsonReturning.typmod JsonValueExpr.formatted_expr
  JsonBehavior.coerce NullTest.xpr NullTest.argisrow BooleanTest.xpr SetToDefault.xpr SetToDefault.typeId
  SetToDefault.typeMod SetToDefault.collation CurrentOfExpr.xpr CurrentOfExpr.cvarno CurrentOfExpr.cursor_param
  JoinExpr.rtindex TypeName.typeOid WithClause.location CTECycleClause.cycle_mark_type
  CTECycleClause.cycle_mark_typmod CTECycleClause.cycle_mark_collation CTECycleClause.cycle_mark_neop
  CommonTableExpr.cterecursive CommonTableExpr.cterefcount CommonTableExpr.ctecolnames
  CommonTableExpr.ctecoltypes CommonTableExpr.ctecoltypmods CommonTableExpr.ctecolcollations
  JsonFuncExpr.column_name JsonParseExpr.output JsonScalarExpr.output`)

/** Words that analysis and planning use. */
const wordsOfAnalysis: readonly string[] = list(`
  SubLink.subLinkType=ROWCOMPARE_SUBLINK SubLink.subLinkType=MULTIEXPR_SUBLINK SubLink.subLinkType=CTE_SUBLINK
  RowExpr.row_format=COERCE_EXPLICIT_CAST RowExpr.row_format=COERCE_SQL_SYNTAX XmlExpr.op=IS_XMLSERIALIZE
  JsonFormat.format_type=JS_FORMAT_JSONB JsonFormat.encoding=JS_ENC_UTF16 JsonFormat.encoding=JS_ENC_UTF32
  JoinExpr.jointype=JOIN_SEMI JoinExpr.jointype=JOIN_ANTI JoinExpr.jointype=JOIN_RIGHT_SEMI
  JoinExpr.jointype=JOIN_RIGHT_ANTI JoinExpr.jointype=JOIN_UNIQUE_OUTER JoinExpr.jointype=JOIN_UNIQUE_INNER
  FuncCall.funcformat=COERCE_EXPLICIT_CAST FuncCall.funcformat=COERCE_IMPLICIT_CAST
  LockingClause.strength=LCS_NONE GroupingSet.kind=GROUPING_SET_SIMPLE OnConflictClause.action=ONCONFLICT_NONE
  MergeWhenClause.commandType=CMD_UNKNOWN MergeWhenClause.commandType=CMD_SELECT
  MergeWhenClause.commandType=CMD_MERGE MergeWhenClause.commandType=CMD_UTILITY JsonBehavior.btype=JSON_BEHAVIOR_EMPTY JsonFuncExpr.op=JSON_TABLE_OP`)

/** Fields of columns, indexes and types that only definitions have. */
const fieldsOfDefinitions: readonly string[] = list(`
  TypeName.pct_type ColumnDef.compression ColumnDef.inhcount ColumnDef.is_not_null ColumnDef.is_from_type
  ColumnDef.storage ColumnDef.storage_name ColumnDef.raw_default ColumnDef.cooked_default ColumnDef.identity
  ColumnDef.identitySequence ColumnDef.generated ColumnDef.collOid ColumnDef.constraints ColumnDef.fdwoptions
  IndexElem.indexcolname IndexElem.opclassopts IndexElem.ordering=SORTBY_ASC IndexElem.ordering=SORTBY_DESC
  IndexElem.ordering=SORTBY_USING IndexElem.nulls_ordering=SORTBY_NULLS_FIRST
  IndexElem.nulls_ordering=SORTBY_NULLS_LAST`)

/** Fields and words that no text of a query or write leads to. */
export const withoutClause: ReadonlySet<string> = new Set([
  ...ofAnalysis,
  ...wordsOfAnalysis,
  ...fieldsOfDefinitions,
])
