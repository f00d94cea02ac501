import { defineConfig } from '@engine/core'
import { notesConfig } from './server/notes-config.ts'

export default defineConfig(
  notesConfig({ folder: import.meta.dirname, page: 'http://localhost:5173' }),
)
