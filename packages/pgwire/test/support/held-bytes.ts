/**
 * Bytes that the program holds. Not what the process has of the machine: V8 takes and gives back hundreds of megabytes
 * while it compiles.
 */
export function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
