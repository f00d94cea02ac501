/** One step of building mirrors; where the first SQL fails the next is tried, and where all fail the step is left out. */
export type MirrorStep = readonly string[]
