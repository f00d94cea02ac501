import pg from 'pg'
import { tenant } from '../statements.ts'

/** Number of rows of `bench.notes`, and of their tenants. */
export const noteCounts = { rows: 100_000, tenants: 10 } as const

/** Fills `bench.notes`; each tenant may see its own rows. */
export async function createNotes(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table bench.notes (
      id integer primary key,
      tenant_id integer not null,
      title text not null,
      price numeric(10,2),
      created_at timestamptz not null
    );
    insert into bench.notes
    select n, n % ${noteCounts.tenants}, 'Note ' || n, (n % 9999) / 100.0,
      timestamptz '2024-01-01' + n * interval '1 minute'
    from generate_series(1, ${noteCounts.rows}) as n;
    create index on bench.notes (tenant_id, id)`)
  await client.query('vacuum analyze bench.notes')
  await client.end()
}

/** The statement of all clients: one row by its key, a different key each time. */
export const pgbenchScript = (
  filter: string,
): string => `\\set row random(0, ${noteCounts.rows / noteCounts.tenants - 1})
\\set id :row * ${noteCounts.tenants} + ${tenant}
SELECT id, title, price, created_at FROM bench.notes WHERE id = :id${filter};
`

/** The filter that permissions add in the engine, written by hand. */
export const handWrittenFilter = ` AND tenant_id = ${tenant}`
