import { createClient, EngineError } from '@engine/client'
import { createAuth } from '@engine/client/auth'

const [url = ''] = process.argv.slice(2)
const auth = createAuth({ url })
await auth.signUp({ email: 'ada@example.com', password: 'correct horse battery staple' })
const client = createClient({ url, session: auth })
const { rows } = await client.query({ sql: 'select $1::int + 1', params: [41], method: 'get' })
console.log(rows)
await auth.signOut()

const refused = await client
  .query({ sql: 'select 1', params: [], method: 'get' })
  .catch((error: unknown) => error)
console.log(refused instanceof EngineError && refused.code)
