/** @module The configuration of the page's engine: its database, its permissions, its actions. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Config, defineAction } from '@engine/core'
import { z } from 'zod'

export interface NotesOptions {
  /** Where the databases are. */
  readonly folder: string
  /** Origin of the page: `http://localhost:5173`. */
  readonly page: string
  /** Shows mails at `/auth/mailbox` instead of sending them: for development, never in production. */
  readonly mailbox?: boolean
}

export function notesConfig({ folder, page, mailbox = false }: NotesOptions): Config {
  const file = join(folder, 'notes.db')
  createTable(file)
  return {
    connections: { main: file },
    service_db: join(folder, 'engine.db'),
    auth: {
      email: { productName: 'Notes', mailbox },
      urls: { reset: `${page}/#/reset`, verify: `${page}/#/verify` },
    },
    security: { cors: { origin: [page] } },
    schemaEndpoint: true,
    permissions: [
      {
        name: 'own-notes',
        table: 'main.notes',
        roles: ['user'],
        select: { where: { owner: '$user.id' } },
        insert: { columns: ['text', 'done'], preset: { owner: '$user.id' } },
        update: { columns: ['done'], where: { owner: '$user.id' } },
      },
    ],
    actions: { tidyUp },
  }
}

const tidyUp = defineAction({
  description: 'Deletes what is done.',
  roles: ['user'],
  input: z.object({ keep: z.array(z.int()) }),
  output: z.object({ deleted: z.int() }),
  run: async ({ user, db }, { keep }) => {
    // `db` may do everything: whose notes they are is for the action to say.
    const owner = user.fields['id']
    let query = db.deleteFrom('main.notes').where('owner', '=', owner).where('done', '=', true)
    if (keep.length > 0) query = query.where('id', 'not in', keep)
    const { numDeletedRows } = await query.executeTakeFirstOrThrow()
    return { deleted: Number(numDeletedRows) }
  },
})

function createTable(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`create table if not exists notes (
    id integer primary key,
    owner text not null default '',
    text text not null,
    done boolean not null default false
  )`)
  database.close()
}
