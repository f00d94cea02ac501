import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { ActionDefinition } from '../options/action.ts'
import { checked } from './config-issues.ts'

const schema = z.custom<ActionDefinition['input']>(isStandardSchema, {
  error: 'expects a schema (zod 4, zod 3 from 3.24 on, or any Standard Schema)',
})

/** Class instances and functions may be schemas, too: ArkType's are callable. */
function isStandardSchema(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard: unknown = Reflect.get(value, '~standard')
  if (typeof standard !== 'object' || standard === null) return false
  return 'validate' in standard && typeof standard.validate === 'function'
}

const actionInput = z.strictObject({
  description: z.string().optional(),
  roles: z.array(z.string().min(1)).min(1),
  input: schema,
  output: schema.optional(),
  timeout: z.int().positive().max(2_147_483_647).optional(),
  run: z.custom<ActionDefinition['run']>((value) => typeof value === 'function', {
    error: 'expects a function',
  }),
})

/** All options of actions. */
export function actionOptions(): readonly DescribedOption[] {
  return describeOptions(actionInput, 'actions.<name>')
}

/** Actions by name. */
export function parseActions(
  input: unknown,
  faults: Faults,
): ReadonlyMap<string, ActionDefinition> {
  const result = new Map<string, ActionDefinition>()
  if (input === undefined) return result
  if (!isPlainObject(input)) {
    faults.add('actions', 'expects actions by name')
    return result
  }
  for (const [name, value] of Object.entries(input)) {
    if (!/^[A-Za-z][\w.-]{0,99}$/.test(name)) {
      faults.add(`actions.${name}`, 'a name has letters, digits, _, . and -')
    }
    const action = checked(actionInput, value, `actions.${name}`, faults)
    if (action !== undefined) result.set(name, action as ActionDefinition)
  }
  return result
}
