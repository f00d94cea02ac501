/** @module All that connects the page to its backend. */
import { createClient } from '@engine/client'
import { browserStorage, createAuth } from '@engine/client/auth'
import { createDrizzleDriver } from '@engine/client/drizzle'
import { drizzle } from 'drizzle-orm/pg-proxy'
import type { Actions } from './generated/actions.ts'
import * as schema from './generated/schema.ts'

const url: string = import.meta.env['VITE_ENGINE_URL'] ?? 'http://127.0.0.1:3001'

export const auth = createAuth({ url, storage: browserStorage() })

/** Where the mails of development are. */
export const mailbox = import.meta.env.DEV ? `${url}/auth/mailbox` : undefined

export const client = createClient<Actions>({ url, session: auth })

const driver = createDrizzleDriver(client)

export const db = drizzle(driver.callback, { schema })
