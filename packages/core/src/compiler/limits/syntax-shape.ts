import type { AcceptedStatement } from '../sql/accepted-syntax.ts'

/** The size of a statement, counted in the client's own text: policies and rewritings add nothing to it. */
export interface SyntaxShape {
  /** How often AND, OR and NOT alternate inside each other; equal neighbours are one level. */
  readonly filterNesting: number
  /**
   * Conditions of the whole statement: the parts of WHERE, ON, HAVING, FILTER and WHEN between AND, OR and NOT. An IN list
   * is one condition.
   */
  readonly filterConditions: number
  /** Items of the longest IN list or ARRAY[...]. */
  readonly listItems: number
  readonly commonTables: number
  readonly setOperations: number
  /** Tables, subqueries and functions in every FROM. */
  readonly fromItems: number
  /** WHEN clauses of MERGE: each repeats the conditions of those before it. */
  readonly whenClauses: number
  /** Different definitions of windows: in OVER and in WINDOW. */
  readonly windows: number
  /** Keys of the longest list of ORDER BY, GROUP BY, DISTINCT ON or PARTITION BY. */
  readonly sortKeys: number
}

type Counts = { -readonly [Key in keyof SyntaxShape]: number } & {
  /** Definitions of windows that were seen. */
  readonly definitions: Set<string>
}

type Fields = Readonly<Record<string, unknown>>

/** The position of a node among AND, OR and NOT. */
interface Place {
  readonly level: number
  /** The AND, OR or NOT that has it as an operand. */
  readonly operator: unknown
}

const top: Place = { level: 0, operator: undefined }

/** Fields that contain a condition. */
const conditionFields: ReadonlySet<string> = new Set([
  'whereClause',
  'havingClause',
  'quals',
  'agg_filter',
  'joinCondition',
  'condition',
])

/** Fields that list keys. */
const keyFields: ReadonlySet<string> = new Set([
  ...['sortClause', 'groupClause', 'distinctClause', 'agg_order'],
  ...['orderClause', 'partitionClause'],
])

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

const fromItemKinds: ReadonlySet<string> = new Set(['RangeVar', 'RangeSubselect', 'RangeFunction'])

export function measureSyntax(statement: AcceptedStatement): SyntaxShape {
  const counts: Counts = {
    filterNesting: 0,
    filterConditions: 0,
    listItems: 0,
    commonTables: 0,
    setOperations: 0,
    fromItems: 0,
    whenClauses: 0,
    windows: 0,
    sortKeys: 0,
    definitions: new Set(),
  }
  walk(statement, top, counts)
  const { definitions, ...shape } = counts
  return { ...shape, windows: definitions.size }
}

/** @param tree a node in its wrapper `{ Kind: fields }`, bare fields, a list of either, or a scalar. */
function walk(tree: unknown, place: Place, counts: Counts): void {
  if (typeof tree !== 'object' || tree === null) return
  if (Array.isArray(tree)) {
    for (const item of tree) walk(item, place, counts)
    return
  }
  const fields = tree as Fields
  const outside = place.operator === undefined ? place : { ...place, operator: undefined }
  for (const name in fields) {
    const value = fields[name]
    // Names, numbers and flags: most fields.
    if (typeof value !== 'object') continue
    if (conditionFields.has(name)) countCondition(value, counts)
    if (keyFields.has(name)) counts.sortKeys = Math.max(counts.sortKeys, lengthOf(value))
    if (name === 'BoolExpr') walkLogic(value as Fields, place, counts)
    else walk(value, note(name, value, counts) ? top : outside, counts)
  }
}

function walkLogic({ boolop, args }: Fields, place: Place, counts: Counts): void {
  const level = boolop === place.operator ? place.level : place.level + 1
  counts.filterNesting = Math.max(counts.filterNesting, level)
  for (const operand of args as readonly unknown[]) {
    countCondition(operand, counts)
    walk(operand, { level, operator: boolop }, counts)
  }
}

/** AND, OR and NOT are handled elsewhere; `on true` is no condition. */
function countCondition(node: unknown, counts: Counts): void {
  const kind = Object.keys(node as Fields)[0]
  if (kind !== 'BoolExpr' && kind !== 'A_Const') counts.filterConditions += 1
}

/** Counts one node or field. @returns whether conditions inside it start a new nesting. */
function note(name: string, value: unknown, counts: Counts): boolean {
  switch (name) {
    case 'SelectStmt':
    case 'larg':
    case 'rarg':
      if ((value as Fields)['op'] !== undefined && (value as Fields)['op'] !== 'SETOP_NONE') {
        counts.setOperations += 1
      }
      return true
    case 'CaseExpr':
      countBranches(value as Fields, counts)
      return false
    case 'usingClause':
      counts.filterConditions += (value as readonly unknown[]).length
      return false
    case 'A_ArrayExpr':
      countItems((value as Fields)['elements'], counts)
      return false
    case 'A_Expr':
      if ((value as Fields)['kind'] === 'AEXPR_IN') countItems(listItems(value as Fields), counts)
      return false
    case 'over':
      // `over w` is the window that WINDOW defines; `over (w rows …)` is one more.
      if ((value as Fields)['name'] === undefined) noteWindows(value, counts)
      return false
    case 'windowClause':
      noteWindows(value, counts)
      return false
    case 'MergeWhenClause':
      counts.whenClauses += 1
      return true
    case 'CommonTableExpr':
      counts.commonTables += 1
      return true
    default:
      if (fromItemKinds.has(name)) counts.fromItems += 1
      return false
  }
}

/** A definition, or a list of them. Where it stands makes no difference. */
function noteWindows(value: unknown, { definitions }: Counts): void {
  for (const definition of Array.isArray(value) ? value : [value]) {
    definitions.add(
      JSON.stringify(definition, (key, part: unknown) => (key === 'location' ? undefined : part)),
    )
  }
}

/** `case x when 1 ...` compares with values, `case when ... ` has conditions. */
function countBranches({ arg, args }: Fields, counts: Counts): void {
  if (arg !== undefined) return
  for (const branch of args as readonly { readonly CaseWhen: Fields }[]) {
    countCondition(branch.CaseWhen['expr'], counts)
  }
}

function listItems({ rexpr }: Fields): unknown {
  return (rexpr as { readonly List?: { readonly items?: unknown } }).List?.items
}

function countItems(items: unknown, counts: Counts): void {
  if (Array.isArray(items)) counts.listItems = Math.max(counts.listItems, items.length)
}
