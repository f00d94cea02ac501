import type { Config } from '@engine/core'
import { notesConfig } from './server/notes-config.ts'

const config: Config & { readonly port: number } = {
  ...notesConfig({ folder: import.meta.dirname, page: 'http://localhost:5173' }),
  port: 3001,
}

export default config
