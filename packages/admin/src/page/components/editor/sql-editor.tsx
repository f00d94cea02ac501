/**
 * @module The SQL editor. It lives in a shadow root: CodeMirror puts its styles there as a constructed style sheet, which
 * a Content-Security-Policy without inline styles allows.
 */
import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type ReactNode, useEffect, useRef } from 'react'
import { faultField, markFault } from './fault-mark.ts'

export interface SqlEditorProps {
  readonly value: string
  readonly onValue: (value: string) => void
  /** By Ctrl-Enter, or Cmd-Enter. */
  readonly onRun: () => void
  readonly label: string
  /** Where the statement is wrong: a character of `value`, from 0 on. */
  readonly faultAt?: number | undefined
  /** Columns by table, and by connection: for completion. */
  readonly schema: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** Custom properties reach into the shadow root. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    font: '13px/20px var(--mono)',
    fontVariantLigatures: 'none',
    overflow: 'auto',
  },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 14px', minWidth: '20px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'color-mix(in srgb, var(--focus) 26%, transparent) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selected) !important', color: 'inherit' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-specialChar': { color: 'var(--red)' },
  '.cm-fault': {
    textDecoration: 'underline wavy var(--red) 1px',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--red-soft)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--border)',
    borderRadius: '8px',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--shadow-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: '12px/18px var(--mono)',
    fontVariantLigatures: 'none',
    maxHeight: '220px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', color: 'var(--text)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--selected)',
    color: 'var(--text)',
  },
  '.cm-completionIcon': { display: 'none' },
})

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--code-keyword)' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
    { tag: [tags.typeName, tags.special(tags.name)], color: 'var(--code-name)' },
    { tag: tags.comment, color: 'var(--code-comment)' },
  ]),
)

export default function SqlEditor({
  value,
  onValue,
  onRun,
  label,
  schema,
  faultAt,
}: SqlEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const calls = useRef({ onValue, onRun })
  const language = useRef(new Compartment())
  calls.current = { onValue, onRun }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later values arrive below
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                calls.current.onRun()
                return true
              },
            },
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            // Escape first, then Tab leaves the editor.
            indentWithTab,
          ]),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          highlightSpecialChars(),
          faultField,
          EditorView.lineWrapping,
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          language.current.of(languageOf(schema)),
          placeholder('select * from …'),
          colours,
          theme,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onValue(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(schema)) })
  }, [schema])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: markFault.of(faultAt) })
  }, [faultAt])

  return <div ref={host} style={{ height: '100%' }} data-editor />
}

function languageOf(schema: SqlEditorProps['schema']) {
  return sql({ dialect: PostgreSQL, schema: schema as never })
}
