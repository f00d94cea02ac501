/** @module A batch whose last statement writes rows of an earlier one: run alone after a rollback, it writes nothing. */
import { list, plain, type Tree, table } from '../tree/tree.ts'
import type { WorldTable } from '../world/world.ts'
import { emptyScope, type Grammar, type VisibleTable } from './grammar.ts'
import { columnLeaf } from './source.ts'
import type { GeneratedStatement, StatementOptions } from './statement.ts'
import { columnsNamed, valueFor } from './value-for.ts'
import type { WriteFacts } from './write.ts'

/** Undefined where the caller's rights on two tables do not allow it. */
export function dependentBatch(
  grammar: Grammar,
  options: Pick<StatementOptions, 'writable' | 'mayWrite'>,
): readonly GeneratedStatement[] | undefined {
  const { random, tables } = grammar
  const may = (name: string, operation: 'insert' | 'update') =>
    options.mayWrite?.(name, operation) ?? true
  const named = (name: string, operation: 'insert' | 'update') =>
    options.writable(name, operation).includes('id')
  const targets = tables.filter(
    ({ table: { name } }) => may(name, 'insert') && named(name, 'insert'),
  )
  const sources = tables.filter(
    ({ table: { name }, readable }) =>
      readable.includes('id') && may(name, 'insert') && named(name, 'insert'),
  )
  if (targets.length === 0 || sources.length === 0) return undefined
  const source = random.pick(sources)
  const target = random.pick(targets)
  const id = String(random.integer(200, 900))
  const first = insertOf(grammar, source.table, options.writable(source.table.name, 'insert'), id)
  return [first, copyOf(grammar, target.table, source, options, id)]
}

function insertOf(
  grammar: Grammar,
  target: WorldTable,
  names: readonly string[],
  id: string,
): GeneratedStatement {
  const columns = columnsNamed(target, names)
  const cells = columns.map((column) =>
    column.name === 'id' ? id : valueFor(grammar, target, column, emptyScope, 0, false),
  )
  const tree = plain`insert into ${table(target.name, true)} (${namesOf(columns)}) values (${list(cells, ', ', cells.length)})`
  return statementOf(tree, target.name, columns)
}

/** A row for the target, computed from the new row of the source. */
function copyOf(
  grammar: Grammar,
  target: WorldTable,
  { table: from, readable }: VisibleTable,
  { writable }: Pick<StatementOptions, 'writable'>,
  id: string,
): GeneratedStatement {
  const { random } = grammar
  const columns = columnsNamed(target, writable(target.name, 'insert'))
  const alias = grammar.name('a')
  const leaves = columnsNamed(from, readable).map(({ name, type }) => columnLeaf(alias, name, type))
  const cells = columns.map((column): Tree => {
    const fitting = leaves.filter(({ type }) => type === column.type)
    return column.name !== 'id' && fitting.length > 0 && random.chance(50)
      ? random.pick(fitting).tree
      : plain`(${valueFor(grammar, target, column, { ...emptyScope, leaves }, 0, false)})::${column.type}`
  })
  const tree = plain`insert into ${table(target.name, true)} (${namesOf(columns)}) select ${list(cells, ', ', cells.length)} from ${table(from.name)} ${alias} where ${alias}.id = ${id}`
  return statementOf(tree, target.name, columns)
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join(', ')
}

function statementOf(
  tree: Tree,
  name: string,
  columns: readonly { readonly name: string }[],
): GeneratedStatement {
  const facts: WriteFacts = {
    table: name,
    operation: 'insert',
    columns: columns.map((column) => column.name),
    conflict: undefined,
  }
  return { tree, isOrdered: false, isWrite: true, writes: [facts] }
}
