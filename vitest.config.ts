import { defineConfig } from 'vitest/config'

/** Tests read the packages' sources, never what was built; so does what a test starts. */
const conditions = ['@engine/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{packages,apps,tooling}/*/src/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'databases',
          include: ['{packages,apps,tooling}/*/test/**/*.test.ts'],
          globalSetup: [
            'tooling/test-databases/src/global-setup.ts',
            'tooling/test-browser/src/global-setup.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
