/** @module The printed form of a select list or of a row of VALUES. */

import { unreachable } from '@engine/core/driver'
import type { Sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { groupKeyOf } from '../expression/comparison/comparison.ts'
import { exportForm } from '../expression/forms/export-form.ts'
import { type OutputForm, type PrintContext, print } from '../print-context.ts'

export function printInForm(expression: Expression, context: PrintContext, form: OutputForm): Sql {
  switch (form) {
    case 'stored':
    case 'value':
    case 'list':
      return exportForm(expression, context)
    case 'text':
      return exportForm(expression, context, 'text')
    case 'working':
      return print(expression, context)
    case 'key':
      return groupKeyOf(expression, context)
    default:
      return unreachable(form)
  }
}
