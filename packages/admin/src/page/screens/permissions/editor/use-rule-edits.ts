/** @module The edits of one rule: the rule and its JSON, kept as a draft until they are saved or given up. */
import { useState } from 'react'
import { type FormDraft, useDraft, useKeep } from '../../../drafts/use-draft.ts'
import { type Rule, ruleFrom } from './rule.ts'

interface RuleDraft {
  readonly text: string
  readonly ownName: string
  readonly revision?: number
}

export interface RuleEdits {
  readonly rule: Rule
  /** The rule as JSON, as it was typed. */
  readonly text: string
  /** Why the text is no rule. */
  readonly fault: string | undefined
  /** Of a new rule, as it was typed. */
  readonly ownName: string
  /** The revision that the edits began with. */
  readonly base: number | undefined
  /** Something was typed, even where the rule is the same. */
  readonly isEdited: boolean
  /** The rule differs from the first one. */
  readonly isChanged: boolean
  readonly draft: FormDraft<RuleDraft>
  readonly change: (rule: Rule) => void
  readonly write: (text: string) => void
  readonly setOwnName: (name: string) => void
  /** The first rule again. */
  readonly reset: () => void
}

/**
 * @param name undefined: a new rule.
 * @param revision the newest one that was read.
 */
export function useRuleEdits(
  name: string | undefined,
  first: Rule,
  revision: number | undefined,
): RuleEdits {
  const draft = useDraft(`rule ${name ?? `new ${written(first)}`}`, ruleDraftIn)
  const [text, setText] = useState(draft.restored?.value.text ?? written(first))
  const [{ rule, fault }, setRead] = useState(() => readRule(text, first))
  const [ownName, setOwnName] = useState(draft.restored?.value.ownName ?? '')
  // Edits that were restored began with the revision of then: what others have saved since is shown before it is saved.
  const [base, setBase] = useState(draft.restored?.value.revision ?? revision)
  const isEdited = text !== written(first) || ownName !== ''
  useKeep(draft, isEdited ? { text, ownName, revision: base } : undefined)
  const change = (next: Rule) => {
    setRead({ rule: next, fault: undefined })
    setText(written(next))
  }
  return {
    rule,
    text,
    fault,
    ownName,
    base,
    isEdited,
    isChanged: written(rule) !== written(first),
    draft,
    change,
    write: (next) => {
      setText(next)
      setRead((now) => readRule(next, now.rule))
    },
    setOwnName,
    reset: () => {
      change(first)
      setOwnName('')
      setBase(revision)
    },
  }
}

function ruleDraftIn(value: unknown): RuleDraft | undefined {
  const { text, ownName, revision } = value as Partial<RuleDraft>
  if (typeof text !== 'string' || typeof ownName !== 'string') return undefined
  return { text, ownName, ...(typeof revision === 'number' ? { revision } : {}) }
}

/** @param last the rule that stays while the text is none. */
function readRule(
  text: string,
  last: Rule,
): { readonly rule: Rule; readonly fault: string | undefined } {
  try {
    return { rule: ruleFrom(text), fault: undefined }
  } catch (error) {
    return { rule: last, fault: error instanceof Error ? error.message : String(error) }
  }
}

function written(rule: Rule): string {
  return JSON.stringify(rule, null, 2)
}
