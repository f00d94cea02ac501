/**
 * Bytes that the program uses. Not the resident memory of the process: V8 takes and releases hundreds of megabytes
 * while it compiles.
 */
export function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
