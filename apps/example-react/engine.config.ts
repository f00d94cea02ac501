import { notesConfig } from './server/notes-config.ts'

export default {
  ...notesConfig({ folder: '.', page: 'http://localhost:5173' }),
  port: 3001,
}
