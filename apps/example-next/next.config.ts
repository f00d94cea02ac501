import { join } from 'node:path'
import type { NextConfig } from 'next'

process.env['NEXT_TELEMETRY_DISABLED'] = '1'
process.env['SHOP_FOLDER'] ??= import.meta.dirname

const config: NextConfig = {
  distDir: 'dist/next',
  // They start worker threads, and load WebAssembly and native code.
  serverExternalPackages: ['@engine/adapters-sqlite', '@engine/http'],
  typescript: { tsconfigPath: 'tsconfig.next.json' },
  // The packages of this repository are links to folders outside of this one.
  turbopack: { root: join(import.meta.dirname, '..', '..') },
}

export default config
