// @ts-check
/**
 * @module Loaded before a program that belongs to no project: it may import the client, Drizzle and Kysely wherever it is. What is
 * installed where the program is has priority.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run-program.mjs'

/** Folders of projects whose dependencies are offered. */
const offering = ['example-drizzle', 'example-kysely', 'server']

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    try {
      return nextResolve(specifier, context)
    } catch (error) {
      if (!isMissing(error) || !isPackage(specifier) || isInstalled(context.parentURL)) throw error
      for (const folder of offering) {
        const parentURL = pathToFileURL(join(root, 'apps', folder, 'package.json')).href
        try {
          return nextResolve(specifier, { ...context, parentURL })
        } catch (other) {
          if (!isMissing(other)) throw other
        }
      }
      throw error
    }
  },
})

/** @param {unknown} error */
function isMissing(error) {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

/** @param {string} specifier */
function isPackage(specifier) {
  return !/^(?:[./#]|[a-z]+:)/.test(specifier)
}

/** @param {string | undefined} url */
function isInstalled(url) {
  return url?.includes('/node_modules/') === true
}
