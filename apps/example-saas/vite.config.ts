import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  build: { outDir: 'dist/site' },
  // In this repository the client is read from its sources; elsewhere leave this out.
  resolve: { conditions: ['@engine/source', ...defaultClientConditions] },
})
