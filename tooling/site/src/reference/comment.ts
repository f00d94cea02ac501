/** @module Documentation comments, taken apart. */

export interface CommentParts {
  /** Markdown before the first tag. */
  readonly text: string
  /** `@param name what it is`, in order; the name is the first word of its text. */
  readonly tags: readonly CommentTag[]
}

export interface CommentTag {
  readonly name: string
  readonly text: string
}

/** @param comment the text between the marks, with the stars in front of its lines. */
export function readComment(comment: string): CommentParts {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [text = '', ...tags] = lines
    .join('\n')
    .trim()
    .split(/^@(?=[a-z])/m)
  return {
    text: withoutLinks(text.trim()),
    tags: tags.map((tag) => {
      const [, name = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
      return { name, text: withoutLinks(rest.trim()) }
    }),
  }
}

/** `{@link createEngine}` → `createEngine` in code. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\{@link(?:code|plain)? ([^}|]+?)(?:\s*\|[^}]*)?\}/g, '`$1`')
}
