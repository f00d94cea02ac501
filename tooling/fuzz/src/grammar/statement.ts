/** @module A whole statement, a read or a write. */
import { list, plain, type Tree, table } from '../tree/tree.ts'
import { emptyScope, type Grammar, type NamedQuery } from './grammar.ts'
import { type WriteFacts, type WriteOptions, write } from './write.ts'

export interface GeneratedStatement {
  readonly tree: Tree
  /** The order of its rows is fixed. */
  readonly isOrdered: boolean
  readonly isWrite: boolean
  /** The rights that it needs to write; also for locks. */
  readonly writes: readonly WriteFacts[]
}

export interface StatementOptions {
  /** Percentage of statements that write. */
  readonly writes: number
  readonly mayConflict: boolean
  readonly mayConflictQueries?: boolean
  readonly hasFreshKeys: boolean
  /** WITH queries that write. */
  readonly mayWriteInside: boolean
  readonly writable: WriteOptions['writable']
  readonly mayConflictOn?: NonNullable<WriteOptions['mayConflictOn']>
  readonly mayWrite?: NonNullable<WriteOptions['mayWrite']>
  /** Types of expressions; undefined: all. */
  readonly depth?: number
}

export function statement(grammar: Grammar, options: StatementOptions): GeneratedStatement {
  const { random } = grammar
  const depth =
    options.depth ??
    random.weighted([
      [45, 1],
      [35, 2],
      [20, 3],
    ])
  if (random.chance(options.writes)) {
    return options.mayWriteInside && random.chance(15)
      ? writesInside(grammar, depth, options)
      : plainWrite(grammar, depth, options)
  }
  if (random.chance(2)) return wholeTable(grammar)
  if (random.chance(3)) return star(grammar)
  if (random.chance(2)) return locking(grammar)
  const { tree, isOrdered } = grammar.query(emptyScope, { types: undefined, depth })
  return { tree, isOrdered, isWrite: false, writes: [] }
}

function plainWrite(
  grammar: Grammar,
  depth: number,
  options: StatementOptions,
): GeneratedStatement {
  const { mayWrite } = options
  const open = grammar.tables.filter(({ table: { name } }) =>
    (['insert', 'update', 'delete'] as const).some((each) => mayWrite?.(name, each) ?? true),
  )
  const target = grammar.random.pick(open.length > 0 ? open : grammar.tables)
  const { tree, facts } = write(grammar, target, {
    ...options,
    depth,
    mustReturn: false,
  })
  return { tree, isOrdered: false, isWrite: true, writes: [facts] }
}

/** One or two writes in WITH, and a query over their RETURNING rows. */
function writesInside(
  grammar: Grammar,
  depth: number,
  options: StatementOptions,
): GeneratedStatement {
  const { random } = grammar
  const targets = random.shuffled(grammar.tables).slice(0, random.integer(1, 2))
  const named: NamedQuery[] = []
  const ctes: Tree[] = []
  const facts: WriteFacts[] = []
  for (const target of targets) {
    const one = write(grammar, target, { ...options, depth: 1, mustReturn: true })
    const name = grammar.name('w')
    const columns = one.types.map((type, i) => ({ name: `c${i + 1}`, type }))
    facts.push(one.facts)
    if (columns.length === 0) {
      ctes.push(plain`${name} as (${one.tree})`)
      continue
    }
    ctes.push(plain`${name}(${columns.map((column) => column.name).join(', ')}) as (${one.tree})`)
    named.push({ name, columns })
  }
  const body = grammar.query(
    { ...emptyScope, named },
    { types: undefined, depth: Math.min(depth, 1) },
  )
  return {
    tree: plain`with ${list(ctes, ', ', ctes.length)} ${body.tree}`,
    isOrdered: body.isOrdered,
    isWrite: true,
    writes: facts,
  }
}

/** `TABLE t`. */
function wholeTable({ random, tables }: Grammar): GeneratedStatement {
  const visible = random.pick(tables)
  return {
    tree: plain`table ${table(visible.table.name)}`,
    isOrdered: false,
    isWrite: false,
    writes: [],
  }
}

/** Stars and whole rows. */
function star(grammar: Grammar): GeneratedStatement {
  const { random, tables } = grammar
  const name = table(random.pick(tables).table.name)
  const other = table(random.pick(tables).table.name)
  const tree = random.pick([
    plain`select * from ${name}`,
    plain`select x.*, 1 from ${name} x`,
    plain`select * from ${name} x natural join ${other} y`,
    plain`select to_jsonb(x) from ${name} x`,
    plain`select row_to_json(x) from ${name} x`,
    plain`select count(x), count(*) from ${name} x`,
    plain`select x is null, x is not null from ${name} x`,
    plain`select * from ${name} x left join ${other} y using (id, k)`,
    plain`select y.* from ${name} x cross join ${other} y`,
    plain`select (select count(*) from ${other}), x.* from ${name} x`,
  ])
  return { tree, isOrdered: false, isWrite: false, writes: [] }
}

/** Locks count as reads here: the policy decides whether the caller may update. */
function locking({ random, tables }: Grammar): GeneratedStatement {
  const visible = random.pick(tables)
  const strength = random.pick(['update', 'no key update', 'share', 'key share'])
  const wait = random.pick(['', ' nowait', ' skip locked', ' of x'])
  const columns = visible.readable.map((name) => `x.${name}`).join(', ')
  return {
    tree: plain`select ${columns} from ${table(visible.table.name, true)} x for ${strength}${wait}`,
    isOrdered: false,
    isWrite: false,
    writes: [{ table: visible.table.name, operation: 'lock', columns: [], conflict: undefined }],
  }
}
