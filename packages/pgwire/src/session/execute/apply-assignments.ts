/** @module Applies calls of set_config to the session, after the catalog has answered the statement. */

import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import { formatAt } from '../results/result-shape.ts'
import { booleanOf } from '../settings/parse-setting.ts'
import type { ConfigArgument, ConfigAssignment } from '../statements/config-assignment.ts'
import { assignSetting } from './setting-commands.ts'

/** @throws {GatewayError} the errors of SET for such a name and value. */
export function applyAssignments(
  parts: Pick<SessionParts, 'settings' | 'block'>,
  assignments: readonly ConfigAssignment[],
  bound: BoundParameters,
): void {
  for (const { name, value, isLocal } of assignments) {
    const setting = textOf(name, bound)
    if (setting === null) continue
    assignSetting(parts, {
      name: setting,
      value: textOf(value, bound) ?? undefined,
      isLocal: flagOf(isLocal, bound),
    })
  }
}

const decoder = new TextDecoder()

/** Text has the same form in both formats. */
function textOf(argument: ConfigArgument, { parameters }: BoundParameters): string | null {
  if (argument.kind === 'literal') return argument.text
  const bytes = parameters[argument.number - 1] ?? null
  return bytes === null ? null : decoder.decode(bytes)
}

function flagOf(argument: ConfigArgument, bound: BoundParameters): boolean {
  if (argument.kind === 'parameter') {
    const index = argument.number - 1
    if (formatAt(bound.parameterFormats, index) === 1) return bound.parameters[index]?.[0] === 1
  }
  return booleanOf(textOf(argument, bound) ?? '') === true
}
