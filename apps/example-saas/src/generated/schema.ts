// Made by engine-codegen from GET /schema: changes are lost when it runs again.

import { relations, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  pgSchema,
  text,
  uuid,
} from 'drizzle-orm/pg-core'

const mainSchema = pgSchema('main')

/** "organisations" in the connection "main". */
export const organisations = mainSchema.table('organisations', {
  id: uuid('id').primaryKey().default(sql`default`),
  name: text('name').notNull(),
})

/** "projects" in the connection "main". */
export const projects = mainSchema.table('projects', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  organisationId: uuid('organisation_id').notNull(),
  createdBy: uuid('created_by').notNull(),
  title: text('title').notNull(),
  done: boolean('done').notNull().default(sql`default`),
})

/** "users" in the connection "main". */
export const users = mainSchema.table('users', {
  id: uuid('id').primaryKey().default(sql`default`),
  email: text('email').notNull(),
  name: text('name').notNull().default(sql`default`),
  organisationId: uuid('organisation_id'),
  role: text('role', { enum: ['newcomer', 'member', 'owner'] }).notNull().default(sql`default`),
})

export const organisationsRelations = relations(organisations, ({ many }) => ({
  projects: many(projects),
  users: many(users),
}))

export const projectsRelations = relations(projects, ({ one }) => ({
  organisation: one(organisations, { fields: [projects.organisationId], references: [organisations.id] }),
  users: one(users, { fields: [projects.createdBy], references: [users.id] }),
}))

export const usersRelations = relations(users, ({ one, many }) => ({
  organisation: one(organisations, { fields: [users.organisationId], references: [organisations.id] }),
  projects: many(projects),
}))
