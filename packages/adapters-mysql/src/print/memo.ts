/** @module Caches facts about expressions while a statement is printed, so that each expression is visited once. */
import type { Expression, RelationId } from '@engine/core/tree'

/** The FROM items of a statement. When an item changes, cached facts are no longer valid. */
export class Relations<Columns> extends Map<RelationId, Columns> {
  /** Counts the changes of existing items. */
  changes = 0

  override set(relation: RelationId, columns: Columns): this {
    const former = this.get(relation)
    if (former !== undefined && former !== columns) this.changes += 1
    return super.set(relation, columns)
  }
}

/** The part of `PrintContext` that is used here. */
interface Statement {
  readonly relations: { readonly changes: number }
}

interface Answers<Subject extends object, Answer> {
  readonly changes: number
  /** Not a WeakMap, which is slow to grow and to collect: it lives as long as its statement is printed. */
  readonly bySubject: Map<Subject, Answer>
}

/** Calls `make` once for each subject and context, unless the FROM items changed in between. */
export function createMemo<Answer, Subject extends object = Expression>(): (
  subject: Subject,
  context: Statement,
  make: () => Answer,
) => Answer {
  const known = new WeakMap<Statement, Answers<Subject, Answer>>()
  return (subject, context, make) => {
    const before = answersOf(known, context)
    if (before.has(subject)) return before.get(subject) as Answer
    const answer = make()
    answersOf(known, context).set(subject, answer)
    return answer
  }
}

function answersOf<Subject extends object, Answer>(
  known: WeakMap<Statement, Answers<Subject, Answer>>,
  context: Statement,
): Map<Subject, Answer> {
  const { changes } = context.relations
  const found = known.get(context)
  if (found?.changes === changes) return found.bySubject
  const bySubject = new Map<Subject, Answer>()
  known.set(context, { changes, bySubject })
  return bySubject
}
