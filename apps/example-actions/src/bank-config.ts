/** @module The configuration of the bank: its table, who may read which row, and how money moves. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ConfigFile, defineAction, defineConfig, GatewayError } from '@engine/server'
import { z } from 'zod'

/** @param folder where the databases are. */
export function bankConfig(folder: string): ConfigFile {
  const file = join(folder, 'bank.db')
  createTable(file)
  return defineConfig({
    connections: { main: file },
    service_db: join(folder, 'engine.db'),
    auth: {},
    permissions: {
      // Nobody may write the table: money moves by actions alone.
      'own account': {
        table: 'main.accounts',
        roles: ['user'],
        select: { where: { owner: '$user.id' } },
      },
    },
    actions: { openAccount, transfer },
  })
}

const openAccount = defineAction({
  description: 'Opens an account with a gift of 100.',
  roles: ['user'],
  input: z.object({}),
  output: z.object({ id: z.int() }),
  run: async ({ db, user }) =>
    db
      .insertInto('main.accounts')
      .values({ owner: user.fields['id'], balance: 100 })
      .returning('id')
      .executeTakeFirstOrThrow(),
})

const transfer = defineAction({
  description: 'Moves money from an account of the caller to any other.',
  roles: ['user'],
  input: z.object({ from: z.int(), to: z.int(), amount: z.int().positive() }),
  output: z.object({ balance: z.int() }),
  run: async ({ db, user }, { from, to, amount }) =>
    db.transaction().execute(async (transaction) => {
      // `db` may do everything: whose account it is, and what it holds, are conditions of the write.
      const taken = await transaction
        .updateTable('main.accounts')
        .set(({ eb }) => ({ balance: eb('balance', '-', amount) }))
        .where('id', '=', from)
        .where('owner', '=', user.fields['id'])
        .where('balance', '>=', amount)
        .executeTakeFirst()
      if (taken.numUpdatedRows === 0n) throw new GatewayError('conflict', 'Not enough money.')
      const given = await transaction
        .updateTable('main.accounts')
        .set(({ eb }) => ({ balance: eb('balance', '+', amount) }))
        .where('id', '=', to)
        .executeTakeFirst()
      // The error ends the transaction: what was taken is there again.
      if (given.numUpdatedRows === 0n) {
        throw new GatewayError('notFound', 'There is no such account.')
      }
      return transaction
        .selectFrom('main.accounts')
        .select('balance')
        .where('id', '=', from)
        .executeTakeFirstOrThrow()
    }),
})

function createTable(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`create table if not exists accounts (
    id integer primary key,
    owner text not null,
    balance integer not null check (balance >= 0)
  )`)
  database.close()
}
