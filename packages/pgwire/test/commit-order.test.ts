/** No answer overtakes the commit that it tells of: a client that has got it reads what was committed, on whatever connection. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  bind,
  execute,
  flush,
  type Message,
  openRecordingClient,
  parse,
  query,
  type RecordingClient,
  sync,
} from './support/recording-client.ts'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

/** Commits of changes wait in a deferred trigger, as long as the gate is closed. */
const setUp = `
  create table accounts (id int primary key, balance int not null);
  insert into accounts values (1, 100), (2, 100);
  create function pass_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
  create constraint trigger gate after insert or update on accounts deferrable initially deferred
    for each row execute function pass_gate()`

const run = (sql: string): readonly Message[] => [parse(sql), bind(), execute()]
const batch = (sql: string): readonly Message[] => [...run(sql), sync]

describePostgres('a commit that takes its time', () => {
  let owner: pg.Client
  let served: ServedDatabases
  let client: RecordingClient
  let other: pg.Client

  beforeAll(async () => {
    const url = await createDatabase('commit_order')
    owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(setUp)
    served = await serveDatabases({ connections: { main: { url } } })
    other = new pg.Client({ connectionString: served.url })
    await other.connect()
  })
  beforeEach(async () => {
    client = await openRecordingClient(served.url)
    await owner.query('update accounts set balance = 100; select pg_advisory_lock(1)')
  })
  afterEach(async () => {
    await owner.query('select pg_advisory_unlock_all()')
    client.close()
  })
  afterAll(async () => {
    await other?.end()
    await served?.close()
    await owner?.end()
  })

  const waiting = (commits: number) =>
    vi.waitFor(
      async () => {
        const waiters =
          "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted"
        expect((await owner.query(waiters)).rows).toEqual([{ n: commits }])
      },
      { timeout: 20_000, interval: 20 },
    )
  const answeredBytes = () => client.socket.bytesRead
  /** The answers to messages whose commit waits for the gate. Until it is open, the client gets nothing. */
  const throughGate = async (messages: readonly Message[], ends: number) => {
    const before = answeredBytes()
    client.send(messages)
    await waiting(1)
    expect((await other.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    expect(answeredBytes()).toBe(before)
    await owner.query('select pg_advisory_unlock(1)')
    const lines = await client.exchange([], ends)
    return lines.filter((line) => /^[DCE]/.test(line))
  }
  const update = 'update accounts set balance = 90 where id = 1'
  const balance = 'select balance from accounts where id = 1'

  test.each([
    ['COMMIT', [query('commit'), query(balance)]],
    ['COMMIT of the extended protocol', [...batch('commit'), ...batch(balance)]],
    ['COMMIT within a batch', [...run('commit'), ...batch(balance), query('')]],
  ])('%s is answered after it, and what follows sees it', async (_name, messages) => {
    await client.exchange([query('begin')], 1)
    await client.exchange(batch(update), 1)
    expect(await throughGate(messages, 2)).toEqual(['C COMMIT', 'D 90', 'C SELECT 1'])
  })

  test.each([
    ['a statement by itself', [query(update), query(balance)], 2],
    ['several of one message', [query(`${update}; ${update}`), query(balance)], 2],
    ['a batch of the extended protocol', [...batch(update), ...batch(balance)], 2],
    ['a batch of several', [...run(update), ...batch(update), ...batch(balance)], 2],
  ])('so is %s', async (_name, messages, ends) => {
    const lines = await throughGate(messages, ends)
    expect(lines.slice(-3)).toEqual(['C UPDATE 1', 'D 90', 'C SELECT 1'])
  })

  test('Sync is answered after the commit of what was executed before it', async () => {
    expect(await client.exchange([...run(update), flush], 'C')).toContain('C UPDATE 1')
    expect(await throughGate([sync, query(balance)], 2)).toEqual(['D 90', 'C SELECT 1'])
  })
})
