/** Ends a `switch` over a union: the compiler proves that no case is missing; reaching it at run time is a bug. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`)
}
