/** @module Bound statements as text: SQL whose names are identities, `orders1.id` being a column of relation 1. */
import { unreachable } from '../../../foundation/unreachable.ts'
import type {
  Assignment,
  BoundStatement,
  CommonTable,
  FromItem,
  InsertWrite,
  Query,
  Returning,
  SelectQuery,
  SortKey,
  Write,
} from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { rowsOf } from '../tree/rows-of.ts'
import { visitStatement } from '../tree/visit-query.ts'
import { printExpressionForTest } from './print-expression-for-test.ts'

interface Relation {
  readonly name: string
  readonly columns: readonly { readonly name: string }[]
}

export function printStatementForTest(statement: BoundStatement): string {
  const relations = relationsOf(statement)
  const { types } = statement.connection
  const { body } = statement
  return 'target' in body ? printWrite(body) : printQuery(body)

  function print(expression: Expression): string {
    if ('query' in expression) return `${expression.kind}(${printQuery(expression.query)})`
    return printExpressionForTest(expression, types, (id, ordinal) => {
      const relation = relations.get(id)
      return `${relation?.name ?? '?'}${id}.${relation?.columns[ordinal]?.name ?? `?${ordinal}`}`
    })
  }

  function printQuery(query: Query): string {
    const parts = [printCtes(query.ctes), printBody(query), ...printTail(query)]
    return parts.filter((part) => part !== '').join(' ')
  }

  function printBody(query: Query): string {
    switch (query.kind) {
      case 'select':
        return printSelect(query)
      case 'values':
        return `values ${query.rows.map((row) => `(${row.map(print).join(', ')})`).join(', ')}`
      case 'setOperation': {
        const word = `${query.operator}${query.all ? ' all' : ''}`
        return `(${printQuery(query.left)}) ${word} (${printQuery(query.right)})`
      }
      default:
        return unreachable(query)
    }
  }

  function printSelect(query: SelectQuery): string {
    const { distinct, groupBy } = query
    const words = [
      'select',
      distinct === 'all' ? 'distinct' : '',
      typeof distinct === 'object' ? `distinct on (${distinct.on.map(print).join(', ')})` : '',
      query.outputs
        .map((output, i) => `${print(output)} as ${query.columns[i]?.name ?? '?'}`)
        .join(', '),
      query.from.length > 0 ? `from ${query.from.map(printItem).join(', ')}` : '',
      query.where ? `where ${print(query.where)}` : '',
      groupBy ? `group by ${groupBy.expressions.map(print).join(', ')}` : '',
      groupBy && (groupBy.sets.length > 1 || groupBy.sets[0]?.length !== groupBy.expressions.length)
        ? `sets ${groupBy.sets.map((set) => `{${set.join()}}`).join('')}`
        : '',
      query.isAggregated && !groupBy ? 'one group' : '',
      query.having ? `having ${print(query.having)}` : '',
    ]
    return words.filter((word) => word !== '').join(' ')
  }

  function printTail(query: Query): readonly string[] {
    const locking = query.kind === 'select' ? query.locking : []
    return [
      query.orderBy.length > 0 ? `order by ${query.orderBy.map(printKey).join(', ')}` : '',
      query.limit?.count ? `limit ${print(query.limit.count)}` : '',
      query.limit?.withTies === true ? 'with ties' : '',
      query.offset ? `offset ${print(query.offset)}` : '',
      ...locking.map(
        ({ strength, relations: ids, wait }) => `lock ${strength} ${ids.join()} ${wait}`,
      ),
    ]
  }

  function printKey({ expression, descending, nullsFirst }: SortKey): string {
    const nulls = nullsFirst === descending ? '' : nullsFirst ? ' nulls first' : ' nulls last'
    return `${print(expression)}${descending ? ' desc' : ''}${nulls}`
  }

  function printCtes(ctes: readonly CommonTable[]): string {
    if (ctes.length === 0) return ''
    const printed = ctes.map(({ id, columns, query, isRecursive, materialized }) => {
      const names = columns.map(({ name }) => name).join(', ')
      const body = 'target' in query ? printWrite(query) : printQuery(query)
      const word = materialized === undefined ? '' : materialized ? 'materialized ' : 'inline '
      return `${isRecursive ? 'recursive ' : ''}w${id}(${names}) as ${word}(${body})`
    })
    return `with ${printed.join(', ')}`
  }

  function printItem(item: FromItem): string {
    switch (item.kind) {
      case 'table':
        return `${item.table.name}${item.id}`
      case 'securedTable':
        return `secured ${item.table.name}${item.id}`
      case 'subquery':
        return `${item.lateral ? 'lateral ' : ''}(${printQuery(item.query)}) q${item.id}`
      case 'cte':
        return `w${item.cte} q${item.id}`
      case 'function':
        return `${print(item.call)}${item.withOrdinality ? ' with ordinality' : ''} q${item.id}`
      case 'join': {
        const on = item.on ? ` on ${print(item.on)}` : ''
        return `(${printItem(item.left)} ${item.type} join ${printItem(item.right)}${on})`
      }
      default:
        return unreachable(item)
    }
  }

  function printWrite(write: Write): string {
    const { target, ctes, returning } = write
    const { table, oldRow, newRow } = target
    const name = `${table.name}${oldRow}/${newRow}`
    const words = [printCtes(ctes), ...printWriteCore(write, name), printReturning(returning)]
    return words.filter((word) => word !== '').join(' ')
  }

  function printWriteCore(write: Write, name: string): readonly string[] {
    const where = (condition: Expression | undefined) =>
      condition ? `where ${print(condition)}` : ''
    switch (write.kind) {
      case 'insert':
        return [`insert into ${name}`, printColumns(write), ...printSource(write)]
      case 'update': {
        const from = write.from.length > 0 ? `from ${write.from.map(printItem).join(', ')}` : ''
        return [`update ${name} set`, printAssignments(write), from, where(write.where)]
      }
      case 'delete': {
        const using = write.using.length > 0 ? `using ${write.using.map(printItem).join(', ')}` : ''
        return [`delete from ${name}`, using, where(write.where)]
      }
      default:
        return unreachable(write)
    }
  }

  function printColumns({ columns, target, overriding }: InsertWrite): string {
    const names = columns.map((ordinal) => target.table.columns[ordinal]?.name)
    return `(${names.join(', ')})${overriding ? ` overriding ${overriding}` : ''}`
  }

  function printSource({ source, onConflict, target }: InsertWrite): readonly string[] {
    const conflict: string[] = []
    if (onConflict !== undefined) {
      const named = onConflict.target
      const key = named?.columns.map((ordinal) => target.table.columns[ordinal]?.name).join(', ')
      const index = named?.index
      const conditions = index?.conditions.map(({ native }) => native).join(' and ')
      const parts = index?.parts.map(({ native }) => native).join(', ')
      conflict.push(`on conflict${key ? ` (${parts ?? key})` : ''}`)
      if (conditions) conflict.push(`where ${conditions}`)
      const { action } = onConflict
      if (action.kind === 'nothing') conflict.push('do nothing')
      else {
        const set = printAssignments({ assignments: action.assignments, target })
        conflict.push(`do update x${action.excluded} set ${set}`)
        if (action.where) conflict.push(`where ${print(action.where)}`)
      }
    }
    switch (source.kind) {
      case 'values':
      case 'repeated': {
        const rows = rowsOf(source).map((row) => `(${row.map(printCell).join(', ')})`)
        return [`values ${rows.join(', ')}`, ...conflict]
      }
      case 'query':
        return [printQuery(source.query), ...conflict]
      case 'defaults':
        return ['default values', ...conflict]
      default:
        return unreachable(source)
    }
  }

  function printAssignments({
    assignments,
    target,
  }: {
    readonly assignments: readonly Assignment[]
    readonly target: Write['target']
  }): string {
    return assignments
      .map(({ column, value }) => `${target.table.columns[column]?.name} = ${printCell(value)}`)
      .join(', ')
  }

  function printCell(cell: Assignment['value']): string {
    return cell.kind === 'default' ? 'default' : print(cell)
  }

  function printReturning(returning: Returning | undefined): string {
    if (returning === undefined) return ''
    const outputs = returning.outputs.map(
      (output, i) => `${print(output)} as ${returning.columns[i]?.name ?? '?'}`,
    )
    return `returning ${outputs.join(', ')}`
  }
}

function relationsOf(statement: BoundStatement): ReadonlyMap<number, Relation> {
  const relations = new Map<number, Relation>()
  visitStatement(statement, {
    fromItem: (item) => {
      switch (item.kind) {
        case 'table':
          relations.set(item.id, item.table)
          break
        case 'subquery':
          relations.set(item.id, { name: 'q', columns: item.query.columns })
          break
        case 'cte':
        case 'function':
          relations.set(item.id, { name: 'q', columns: item.columns })
          break
        default:
      }
    },
    write: ({ target, ...write }) => {
      const { table } = target
      relations.set(target.oldRow, { ...table, name: `old_${table.name}` })
      relations.set(target.newRow, { ...table, name: `new_${table.name}` })
      const action = 'onConflict' in write ? write.onConflict?.action : undefined
      if (action?.kind === 'update') relations.set(action.excluded, { ...table, name: 'x' })
    },
  })
  return relations
}
