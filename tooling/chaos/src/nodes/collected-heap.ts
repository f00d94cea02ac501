/** @module Loaded into a node that runs with --expose-gc: SIGHUP collects garbage and logs the size of the heap. */
process.on('SIGHUP', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const line = { level: 30, msg: 'heap after a collection', bytes: heapUsed + external }
  process.stderr.write(`${JSON.stringify(line)}\n`)
})
