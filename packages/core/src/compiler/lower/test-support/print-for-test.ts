/**
 * @module Lowered statements as text: SQL in which `u3.n` is a column of relation 3, types are left out and conditions inside a
 * table are in brackets.
 */
import type {
  BoundStatement,
  FromItem,
  Query,
  SelectQuery,
  SortKey,
  Write,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import { rowsOfQuery, singleRow } from '../internal-functions.ts'

/** Relations are numbered in the order of their first use in the text. */
export function printForTest(statement: BoundStatement): string {
  const names = relationNames(statement)
  const numbers = new Map<string, number>()
  const { body } = statement
  const text = isWrite(body) ? printWrite(body) : printQuery(body)
  return text.replace(/@(\d+)/g, (_, id) => {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return String(number)
  })

  function relation(id: number): string {
    return `${names.get(id)?.name ?? 'd'}@${id}`
  }

  function print(node: Expression): string {
    switch (node.kind) {
      case 'column':
        return `${relation(node.relation)}.${names.get(node.relation)?.columns[node.column] ?? `c${node.column + 1}`}`
      case 'output':
        return `#${node.index + 1}`
      case 'constant':
        return node.value === null ? 'null' : String(node.value)
      case 'parameter':
        return `$${node.index + 1}`
      case 'call':
        if (node.function === singleRow) return `single_row(${list(node.args)})`
        if (node.function === rowsOfQuery) return `rows_of(${list(node.args)})`
        return `${node.function.name}(${list(node.args)})`
      case 'operator':
        return `(${node.left ? `${print(node.left)} ` : ''}${node.operator.name} ${print(node.right)})`
      case 'cast':
        return print(node.operand)
      case 'logical':
        return `(${node.operands.map(print).join(` ${node.operator} `)})`
      case 'not':
        return `(not ${print(node.operand)})`
      case 'nullTest':
        return `(${print(node.operand)} is ${node.negated ? 'not ' : ''}null)`
      case 'case': {
        const whens = node.whens.map(
          (when) => ` when ${print(when.condition)} then ${print(when.result)}`,
        )
        return `case${whens.join('')}${node.otherwise ? ` else ${print(node.otherwise)}` : ''} end`
      }
      case 'coalesce':
        return `coalesce(${list(node.args)})`
      case 'rowComparison':
        return `((${list(node.left)}) ${node.comparison} (${list(node.right)}))`
      case 'subquery':
        return `(${printQuery(node.query)})`
      case 'exists':
        return `exists (${printQuery(node.query)})`
      case 'quantifiedSubquery':
        return `(${list(node.operands)} ${node.comparison} ${node.quantifier} (${printQuery(node.query)}))`
      case 'aggregate':
        return `${node.function.name}(${node.args.length === 0 ? '*' : list(node.args)}${sorted(node.orderBy)})${filtered(node.filter)}`
      case 'window': {
        const parts = node.partitionBy.length === 0 ? '' : `partition by ${list(node.partitionBy)}`
        return `${node.function.name}(${list(node.args)}) over (${`${parts}${sorted(node.orderBy)}`.trim()})`
      }
      case 'wholeRow':
        return `row(${list(node.fields.map(({ value }) => value))})`
      default:
        return node.kind
    }
  }

  function filtered(condition: Expression | undefined): string {
    return condition ? ` filter (where ${print(condition)})` : ''
  }

  function list(expressions: readonly Expression[]): string {
    return expressions.map(print).join(', ')
  }

  function sorted(keys: readonly SortKey[]): string {
    if (keys.length === 0) return ''
    const texts = keys.map((key) => `${print(key.expression)}${key.descending ? ' desc' : ''}`)
    return ` order by ${texts.join(', ')}`
  }

  function printQuery(query: Query): string {
    const ctes = query.ctes.map((cte) => `q@${cte.id} as (${printBody(cte.query)})`)
    const { limit, offset } = query
    const count = limit?.count && ` limit ${print(limit.count)}`
    return [
      ctes.length === 0 ? '' : `with ${ctes.join(', ')} `,
      printRows(query),
      sorted(query.orderBy),
      count ?? '',
      offset ? ` offset ${print(offset)}` : '',
    ].join('')
  }

  function printBody(body: Query | Write): string {
    return isWrite(body) ? printWrite(body) : printQuery(body)
  }

  function printRows(query: Query): string {
    switch (query.kind) {
      case 'select':
        return printSelect(query)
      case 'values':
        return `values ${query.rows.map((row) => `(${list(row)})`).join(', ')}`
      case 'setOperation': {
        const word = `${query.operator}${query.all ? ' all' : ''}`
        return `(${printQuery(query.left)}) ${word} (${printQuery(query.right)})`
      }
    }
  }

  function printSelect(query: SelectQuery): string {
    const { distinct, groupBy } = query
    const from = query.from.map(printItem).join(', ')
    return [
      'select ',
      distinct === 'all' ? 'distinct ' : '',
      list(query.outputs),
      from === '' ? '' : ` from ${from}`,
      query.where ? ` where ${print(query.where)}` : '',
      groupBy ? ` group by ${list(groupBy.expressions)}` : '',
      query.having ? ` having ${print(query.having)}` : '',
    ].join('')
  }

  function printItem(item: FromItem): string {
    switch (item.kind) {
      case 'join': {
        const left = printItem(item.left)
        const right = printItem(item.right)
        const operand = item.right.kind === 'join' ? `(${right})` : right
        return `${left} ${item.type} join ${operand}${item.on ? ` on ${print(item.on)}` : ''}`
      }
      case 'subquery':
        return `${item.lateral ? 'lateral ' : ''}(${printQuery(item.query)}) ${relation(item.id)}`
      case 'cte':
        return `q@${item.cte} ${relation(item.id)}`
      case 'function':
        return `${print(item.call)} ${relation(item.id)}`
      case 'securedTable': {
        const conditions = [...(item.filter ? [item.filter] : []), ...item.pushed]
        const inside = conditions.map(print).join(' and ')
        return inside === '' ? relation(item.id) : `${relation(item.id)}[${inside}]`
      }
      default:
        return relation(item.id)
    }
  }

  function printWrite(write: Write): string {
    const returning = write.returning ? ` returning ${list(write.returning.outputs)}` : ''
    switch (write.kind) {
      case 'insert':
        return `insert${returning}`
      case 'update': {
        const set = write.assignments.map(({ value }) =>
          value.kind === 'default' ? 'default' : print(value),
        )
        const from = write.from.length > 0 ? ` from ${write.from.map(printItem).join(', ')}` : ''
        return `update set ${set.join(', ')}${from}${where(write.where)}${returning}`
      }
      case 'delete': {
        const using =
          write.using.length > 0 ? ` using ${write.using.map(printItem).join(', ')}` : ''
        return `delete${using}${where(write.where)}${returning}`
      }
    }
  }

  function where(condition: Expression | undefined): string {
    return condition ? ` where ${print(condition)}` : ''
  }
}

interface Names {
  readonly name: string
  readonly columns: readonly string[]
}

function relationNames(statement: BoundStatement): ReadonlyMap<number, Names> {
  const names = new Map<number, Names>()
  const add = (id: number, { name, columns }: BoundTable) =>
    names.set(id, { name, columns: columns.map((column) => column.name) })
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind !== 'securedTable') return
      add(item.id, item.table)
      add(item.base, item.table)
    },
    write: ({ target }) => {
      add(target.oldRow, target.table)
      add(target.newRow, target.table)
    },
  })
  return names
}

type BoundTable = Write['target']['table']
