import { defineConfig } from '@engine/core'
import { notesConfig } from './server/notes-config.ts'

const { NODE_ENV, MASTER_KEY: masterKey } = process.env

export default defineConfig({
  ...notesConfig({
    folder: import.meta.dirname,
    page: 'http://localhost:5173',
    mailbox: NODE_ENV !== 'production',
  }),
  // For `/admin`, and for invitations: a random secret of at least 32 bytes.
  ...(masterKey === undefined ? {} : { masterKey }),
})
