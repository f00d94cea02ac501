import { expect, test } from 'vitest'
import { triggerColumns } from './trigger-columns.ts'

const columns = ['id', 'updated_at', 'Total']

test.each([
  ['begin new.updated_at = now(); return new; end', ['updated_at']],
  [
    'BEGIN NEW."Total" := 1; IF NEW.id IS NULL THEN RETURN NULL; END IF; RETURN NEW; END',
    ['id', 'Total'],
  ],
  ['set new.`total` = 0', ['Total']],
  ['begin perform 1; return new; end', []],
  ['begin select 1 into new . updated_at; return new; end', ['updated_at']],
])('%s', (body, changed) => {
  expect(triggerColumns(body, columns)).toEqual(changed)
})

test.each([
  'begin new := row(1); return new; end',
  'begin return old; end',
  'declare r record; begin r = audit(new); return r; end',
  'declare n alias for new; begin n.id = 1; return new; end',
])('another row may take the place of the new one: %s', (body) => {
  expect(triggerColumns(body, columns)).toBe('all')
})
