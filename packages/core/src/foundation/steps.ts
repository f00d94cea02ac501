/**
 * Work that may pause: at each `yield` other work may run before the next step. What it returns is its result.
 *
 * A function that has such steps is a generator, and so is each of its callers up to the one that decides when the next step
 * runs. Only the outer levels of a piece of work are generators: what is called many times is a plain function.
 */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
