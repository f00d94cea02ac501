import type { Random } from '@engine/fixtures'
import type { Target } from '../target.ts'

/** One kind of failure. */
export interface FaultKind {
  /** `postgres: crash` */
  readonly name: string
  readonly target: Target
  /** False when the fault must not make any request fail. */
  readonly excuses: boolean
  /** Causes the fault, and repairs it. Resolves when the target works again. */
  happen(random: Random): Promise<void>
}
