import { signUpFaults } from '@engine/auth'
import type { Engine } from '@engine/core'
import { type Finding, fault } from './finding.ts'

/** Checks whether sign-up can create rows of the user table. */
export function checkUserTable(engine: Engine): readonly Finding[] {
  return signUpFaults(engine.settings, engine).map(({ path, message }) => fault(path, message))
}
