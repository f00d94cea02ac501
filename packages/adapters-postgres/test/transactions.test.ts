import { executionOf, type ServerSubject, serverTransactions } from '@engine/adapter-conformance'
import type { Adapter, TransactionOptions } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresServer, postgresDialect } from './support/server.ts'
import { statementOf } from './support/statements.ts'

const accounts = 'create table accounts (id int primary key, balance int not null)'

describePostgres('transactions', () => {
  serverTransactions(postgresDialect, () => openPostgresServer('transactions', accounts))
})

describePostgres('transactions of PostgreSQL', () => {
  let subject: ServerSubject
  let adapter: Adapter

  beforeAll(async () => {
    subject = await openPostgresServer(
      'deferred',
      accounts,
      `create table transfers (
         id int primary key, account int references accounts deferrable initially deferred
       )`,
      'insert into accounts values (1, 100)',
    )
    adapter = subject.openAdapter({})
  })
  afterAll(async () => {
    await adapter?.close()
    await subject?.close()
  })

  const options: TransactionOptions = { timeoutMs: 5_000, readOnly: false, signal: undefined }

  test('cannot be saved by a body that ignores a failed check', async () => {
    const checked = statementOf('update public.accounts set balance = 0 returning id, false', {
      isWrite: true,
      columns: [oids.int4],
      yields: 'result',
      checkColumn: 1,
    })
    const failed = adapter.transaction(options, async (session) => {
      await session.execute(executionOf(checked)).catch(() => undefined)
    })

    await expect(failed).rejects.toMatchObject({ problem: 'checkFailed' })
    expect(await subject.rows('select balance from accounts')).toEqual([{ balance: 100 }])
  })

  test('report what only COMMIT finds out', async () => {
    const insert = postgresDialect.write('insert into public.transfers values (1, 999)')
    const failed = adapter.transaction(options, (session) => session.execute(executionOf(insert)))

    await expect(failed).rejects.toMatchObject({ problem: 'conflict', sqlState: '23503' })
    expect(await subject.rows('select id from transfers')).toEqual([])
  })
})
