// @ts-check
/**
 * @module Bundles packages whose sources have changed. Vitest calls `setup` before the first test: servers that tests
 * start in processes of their own are the published files, which start in half the processor time of the sources.
 */
import { bundleStale, publishedPackages } from './bundle/src/index.ts'

/**
 * Bundles before the first test, and before each run of vitest in watch mode.
 *
 * @param {import('vitest/node').TestProject} project
 */
export async function setup(project) {
  await bundleStale(publishedPackages())
  project.onTestsRerun(() => bundleStale(publishedPackages()))
}
