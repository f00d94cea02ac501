import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig } from 'vite'

/** A path of this package. */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig(({ mode }) => ({
  root: at('src/page'),
  // Relative addresses: a host may serve the engine under a path of its own.
  base: './',
  build: {
    outDir: at('dist/site'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // Every browser that runs these pages preloads modules by itself.
    modulePreload: { polyfill: false },
    target: 'es2022',
    sourcemap: false,
    license: { fileName: 'licences.md' },
    // `'use client'` in libraries is for frameworks that render on a server.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      // The design gallery is built for its test alone.
      ...(mode === 'gallery' ? { input: at('src/page/gallery/index.html') } : {}),
    },
  },
  resolve: { conditions: ['@engine/source', ...defaultClientConditions] },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:3000' } },
}))
