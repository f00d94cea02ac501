import { openStore } from '@engine/core/store'
import { serviceDatabases } from '@engine/test-stores'
import { sql } from 'kysely'

/** Runs statements in the database's own SQL, separated by `;` at the end of a line. */
export async function runScript(url: string, script: string): Promise<void> {
  const store = await openStore({ url, serviceDatabases })
  try {
    await store.migrate([])
    for (const statement of script.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== '')) {
      await sql.raw(statement).execute(store.database)
    }
  } finally {
    await store.close()
  }
}
