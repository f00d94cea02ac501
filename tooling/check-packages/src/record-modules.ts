/** @module Loaded by `node --import`: writes the address of every module that a program has loaded to `ENGINE_MODULES_FILE`. */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const found: string[] = []
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) found.push(url)
    return next(url, context)
  },
})
process.on('exit', () => {
  const path = process.env['ENGINE_MODULES_FILE']
  if (path !== undefined) writeFileSync(path, JSON.stringify(found))
})
