import { join } from 'node:path'
import { defineConfig } from '@engine/core'
import { saasConfig } from './server/saas-config.ts'

const { NODE_ENV, DATABASE_URL = 'postgres://127.0.0.1/workbench' } = process.env

export default defineConfig(
  saasConfig({
    database: DATABASE_URL,
    serviceDatabase: join(import.meta.dirname, 'engine.db'),
    page: 'http://localhost:5173',
    mailbox: NODE_ENV !== 'production',
  }),
)
