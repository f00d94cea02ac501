/** @module Underlines the word where a statement is wrong, until the text changes. */
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** A character of the text, from 0 on; undefined: nothing is wrong. */
export const markFault = StateEffect.define<number | undefined>()

const mark = Decoration.mark({ class: 'cm-fault' })

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, docChanged, state }) => {
    const effect = effects.find((each) => each.is(markFault))
    if (effect !== undefined) return marksAt(state.doc.toString(), effect.value)
    return docChanged ? Decoration.none : marks
  },
  provide: (from) => EditorView.decorations.from(from),
})

export const faultField: Extension = field

function marksAt(text: string, at: number | undefined): DecorationSet {
  if (at === undefined || text === '') return Decoration.none
  const from = Math.min(at, text.length - 1)
  const [word = ''] = /^[\w$]*/.exec(text.slice(from)) ?? []
  return Decoration.set(mark.range(from, from + Math.max(1, word.length)))
}
