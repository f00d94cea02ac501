/** @module The example of the home page: a statement, its permission, and the SQL that PostgreSQL gets, as the printer prints it. */
import { createEngine, type Permission } from '@engine/core'
import { type Adapter, type IntrospectedTable, sqlOf } from '@engine/core/adapter'
import { printers } from '@engine/fuzz/nesting'

const sql = 'select title, total\nfrom main.orders\norder by total desc'

const permission: Permission = {
  table: 'main.orders',
  roles: ['member'],
  select: {
    columns: ['title', 'total'],
    where: { company_id: '$user.company_id' },
  },
}

const shownPermission = `'orders of the company': {
  table: 'main.orders',
  roles: ['member'],
  select: {
    columns: ['title', 'total'],
    where: { company_id: '$user.company_id' },
  },
},`

/** Columns of the sample tables, by their names here. */
const columns: Readonly<Record<string, string>> = {
  id: 'id',
  c_int4: 'company_id',
  c_text: 'title',
  c_numeric: 'total',
}

/** Markdown with three blocks of code. */
export async function homeExample(): Promise<string> {
  const block = (caption: string, language: string, text: string) =>
    `**${caption}**\n\n\`\`\`${language}\n${text}\n\`\`\`\n`
  return [
    block('A client sends', 'sql', sql),
    block('A permission of its role', 'ts', shownPermission),
    block('PostgreSQL gets', 'sql', await printedForPostgres()),
    '`$1` is the company of the caller.\n',
  ].join('\n')
}

async function printedForPostgres(): Promise<string> {
  const printer = printers.find(({ name }) => name === 'PostgreSQL')
  if (printer === undefined) throw new Error('no printer of PostgreSQL')
  const sent: string[] = []
  const execute: Adapter['execute'] = async ({ statement }) => {
    sent.push(...statement.steps.map(sqlOf))
    return { rows: '', rowCount: 0, truncated: false }
  }
  const adapter: Adapter = {
    ...printer.adapter,
    introspect: async (...words) => {
      const found = await printer.adapter.introspect(...words)
      return { ...found, tables: found.tables.slice(0, 1).map(ordersOf) }
    },
    execute,
    transaction: (_options, body) => body({ execute }),
  }
  const engine = await createEngine(
    { connections: { main: printer.connection }, permissions: [permission] },
    { adapters: { [printer.adapterPackage]: () => adapter } },
  )
  try {
    const caller = { kind: 'user', id: '1', roles: ['member'], fields: { company_id: 10 } } as const
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    await engine.query(request, caller)
  } finally {
    await engine.close()
  }
  return sent.at(-1) ?? ''
}

function ordersOf(table: IntrospectedTable): IntrospectedTable {
  return {
    ...table,
    name: 'orders',
    columns: table.columns.flatMap((column) => {
      const name = columns[column.name]
      return name === undefined ? [] : [{ ...column, name }]
    }),
    foreignKeys: [],
    uniqueKeys: [],
  }
}
