/** @module A first query on a table, for the modules that engine-codegen writes. */

const identifier = /^[A-Za-z_$][\w$]*$/

function member(object: string, name: string): string {
  return identifier.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`
}

export function drizzleSnippet(connection: string, table: string): string {
  return [
    `// schema.ts: engine-codegen --format drizzle --connection ${connection}`,
    `import * as schema from './schema.ts'`,
    '',
    `const rows = await db.select().from(${member('schema', camelName(table))}).limit(20)`,
  ].join('\n')
}

export function kyselySnippet(connection: string, table: string): string {
  const name = `${connection}.${table}`
  return [
    `// schema.ts: engine-codegen --format kysely`,
    `const rows = await db.selectFrom(${JSON.stringify(name)}).selectAll().limit(20).execute()`,
  ].join('\n')
}

function camelName(table: string): string {
  return table.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
