/** @module Sends the same messages to PostgreSQL itself and to this server: both must give the same answers. */
import { createDatabase } from '@engine/test-databases/vitest'
import pg from 'pg'
import { expect } from 'vitest'
import { type Message, openRecordingClient } from './recording-client.ts'
import { type ServedDatabases, serveDatabases } from './served-databases.ts'

/**
 * Messages that are sent at once, and the end of their answer: this number of ReadyForQuery, or messages of these types
 * in a row.
 */
export type Step = readonly [messages: readonly Message[], end?: number | string]

export interface Comparison {
  /** Runs the steps on new connections, and compares the answers message by message. */
  same(...steps: readonly Step[]): Promise<readonly string[]>
  readonly server: ServedDatabases
  /** URL of the PostgreSQL that the server is compared with. */
  readonly own: string
  close(): Promise<void>
}

/** Tables of both databases, in the schema `main`. */
const setUp = `
  create schema main;
  create table main.items (
    id int4 primary key, name varchar(20) not null, price numeric(10,2), made timestamptz, tags text[], note text
  );
  insert into main.items select n, 'item ' || n, n * 1.5, '2024-01-01 00:00:00+00', array['a', 'b'], null
    from generate_series(1, 20) n;
  create table main.empty (id int4 primary key);
  create table main.numbered (id int4 generated always as identity primary key, label text unique);
  create table main.many as select n from generate_series(1, 5000) n;
  alter table main.many add primary key (n);
  do $$ begin
    execute format('alter database %I set search_path = main', current_database());
  end $$`

/** @param more additional statements for both databases */
export async function openComparison(more = ''): Promise<Comparison> {
  const [own, behind] = await Promise.all([createPrepared(more), createPrepared(more)])
  const server = await serveDatabases({ connections: { main: { url: behind, schema: 'main' } } })
  return {
    server,
    own,
    same: async (...steps) => {
      const expected = await play(own, steps)
      const actual = await play(server.url, steps)
      expect(actual).toEqual(expected)
      return actual
    },
    close: () => server.close(),
  }
}

async function createPrepared(more: string): Promise<string> {
  const url = await createDatabase('wire')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`${setUp}; ${more}`)
  await client.end()
  return url
}

async function play(url: string, steps: readonly Step[]): Promise<readonly string[]> {
  const client = await openRecordingClient(url, true)
  try {
    const lines: string[] = []
    for (const [messages, end = 1] of steps) {
      lines.push(...(await client.exchange(messages, end)), '--')
    }
    return lines
  } finally {
    client.close()
  }
}
