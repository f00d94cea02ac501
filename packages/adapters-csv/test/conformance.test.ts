import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterConformance } from '@engine/adapter-conformance'
import { createCsvFixture } from '@engine/fixtures'
import { connect } from '../src/index.ts'

adapterConformance(
  'CSV',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engine-csv-conformance-'))
    const fixture = createCsvFixture(directory)
    return {
      connection: { directory, tables: fixture.tables, writable: true },
      adapterPackage: '@engine/adapters-csv',
      connect,
      kind: 'csv',
      reset: async () => fixture.reset(),
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    }
  },
  {
    lacks: new Set(['views', 'constraints', 'defaults', 'emptyTexts']),
    inapplicable: new Set([
      // An empty text is read back as NULL.
      'strings: length of samples',
      'collation: samples by code point',
      'nulls: isnull spelling',
      'nulls: not equal skips nulls',
      'json-constructors: texts inside',
      // No column has a maximum length.
      'a text that is too long is refused and nothing is written',
    ]),
  },
)
