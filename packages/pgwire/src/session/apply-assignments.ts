/** @module What calls of set_config do to the session, when the catalog has answered the statement. */
import type { BoundParameters } from './bound-parameters.ts'
import type { ConfigArgument, ConfigAssignment } from './config-assignment.ts'
import { formatAt } from './result-shape.ts'
import type { SessionParts } from './session-parts.ts'
import { assignSetting } from './setting-commands.ts'
import { booleanOf } from './settings/parse-setting.ts'

/** @throws {GatewayError} what SET throws of such a name and value. */
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
