import type { CheckResult, DeclaredCheck, Need, WireClient } from './wire-check.ts'
import { applies } from './wire-check.ts'
import type { WireTarget } from './wire-target.ts'

/** The input of a check in this process. */
export interface CheckContext {
  readonly target: WireTarget
  /** A key that no other check uses. */
  freshId(): number
}

/** A check in this process. */
export interface OwnCheck extends DeclaredCheck {
  /** Rejects when the check fails. */
  readonly run: (context: CheckContext) => Promise<void>
}

/** Declares a check. */
export function check(name: string, run: OwnCheck['run'], needs?: Need): OwnCheck {
  return { name, needs, run }
}

/** A client whose checks run in this process, or start a program each. */
export function ownClient(
  name: string,
  checks: readonly OwnCheck[],
  missing: () => string | undefined = () => undefined,
): WireClient {
  return {
    name,
    checks,
    missing,
    run: async (target, firstId) => {
      let nextId = firstId
      const context: CheckContext = {
        target,
        freshId: () => {
          nextId += 1
          return nextId
        },
      }
      const results: CheckResult[] = []
      for (const one of checks.filter((each) => applies(each, target))) {
        results.push(await resultOf(one, context))
      }
      return results
    },
  }
}

async function resultOf({ name, run }: OwnCheck, context: CheckContext): Promise<CheckResult> {
  try {
    await run(context)
    return { name, ok: true, detail: '' }
  } catch (error) {
    return {
      name,
      ok: false,
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}
