// Made by engine-codegen from GET /schema: changes are lost when it runs again.

import { sql } from 'drizzle-orm'
import {
  boolean,
  integer,
  pgSchema,
  text,
} from 'drizzle-orm/pg-core'

const mainSchema = pgSchema('main')

/** "notes" in the connection "main". */
export const notes = mainSchema.table('notes', {
  id: integer('id').primaryKey().default(sql`default`),
  owner: text('owner').notNull().default(sql`default`),
  text: text('text').notNull(),
  done: boolean('done').notNull().default(sql`default`),
})
