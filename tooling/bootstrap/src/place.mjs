// @ts-check
/** @module The directory in which a user has called npm, which starts scripts at the root. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { root } from './run-program.mjs'

/** Of a configuration file. */
const extensions = ['ts', 'mts', 'js', 'mjs', 'json']

/**
 * @typedef {object} Place
 * @property {string} directory where relative paths start, absolute
 * @property {readonly string[]} words arguments
 */

/**
 * Where the user is: below the root, the directory that npm was called in; otherwise the root.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} [top] the root
 * @returns {string} absolute
 */
export function calledIn({ INIT_CWD: called = '' }, top = root) {
  const directory = resolve(top, called)
  const isInside = directory.startsWith(top + sep) && existsSync(directory)
  return isInside ? directory : top
}

/**
 * The directory and arguments of a server. A configuration in the directory of the user comes first. Without one the server runs at the
 * root, with the configuration there or the demo; files that the arguments name are still those of the user.
 *
 * @param {readonly string[]} words arguments of the server
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} [top] the root
 * @returns {Place}
 */
export function placeOf(words, environment, top = root) {
  const directory = calledIn(environment, top)
  const isNamed =
    words.some((word) => /^--config(?:=|$)/.test(word)) || Boolean(environment['ENGINE_CONFIG'])
  const isDemo = words.includes('--demo')
  if (isNamed || words[0] === 'init' || (hasConfig(directory) && !isDemo)) {
    return { directory, words }
  }
  const near = words.map((word) => {
    const file = join(directory, word)
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : word
  })
  return { directory: top, words: near }
}

/** @param {string} directory */
function hasConfig(directory) {
  return extensions.some((extension) => existsSync(join(directory, `engine.config.${extension}`)))
}

/**
 * A file that a user names: where the user is, else at the root.
 *
 * @param {string} name
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string} absolute
 */
export function fileOf(name, environment) {
  const near = resolve(calledIn(environment), name)
  return existsSync(near) ? near : resolve(root, name)
}
