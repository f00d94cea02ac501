/**
 * @module A policy as a database administrator would write it: for one caller a schema of `security_barrier` views
 * whose masked cells are CASEs, and views with INSTEAD OF triggers for writes.
 */
import type { Caller } from '@engine/core'
import type { World } from '../world/world.ts'
import { filterSql } from './filter-sql.ts'
import { permissionsOf, readableColumns } from './grants.ts'
import type { Policy } from './random-policy.ts'
import { cell, type TableContext, visible } from './reference-table.ts'
import { writeViews } from './reference-writes.ts'

export interface ReferenceOptions {
  readonly world: World
  readonly policy: Policy
  readonly caller: Caller
  /** Schema of the views, one for each caller. */
  readonly schema: string
  /** The role that runs the caller's statements: it can access nothing else. */
  readonly role: string
}

/** Statements that create the views of one caller over the tables of schema `main`. */
export function referenceViews({ world, policy, caller, schema, role }: ReferenceOptions): string {
  const parts = world.tables.flatMap((table) => {
    const permissions = permissionsOf(policy, caller, table.name)
    const where = (filter: unknown) =>
      filterSql(filter, {
        world,
        table,
        row: 'b',
        outer: undefined,
        fields: caller.fields,
        relation: (name) => `main.${name}`,
      })
    const context: TableContext = {
      table,
      permissions,
      where,
      schema,
      caller,
      readable: readableColumns(policy, caller, table),
    }
    return [...readView(context), ...writeViews(context)]
  })
  return [
    `drop schema if exists ${schema} cascade; create schema ${schema};`,
    `create table ${schema}.touched (tbl text, id int4, flags bool[]);`,
    ...parts,
    `grant usage on schema ${schema} to ${role};`,
    `grant all on all tables in schema ${schema} to ${role};`,
    `revoke all on ${schema}.touched from ${role};`,
  ].join('\n')
}

function readView(context: TableContext): readonly string[] {
  const { table, schema, readable } = context
  if (!context.permissions.some(({ select }) => select !== undefined)) return []
  const cells = table.columns
    .filter(({ name }) => readable.includes(name))
    .map((column) => `${cell(context, column)} as ${column.name}`)
  return [
    `create view ${schema}.${table.name} with (security_barrier) as select ${cells.join(', ')} from main.${table.name} b where ${visible(context)};`,
  ]
}
