import type { ReactNode } from 'react'
import { classes } from '../../components/classes.ts'
import type { Extent } from './access.ts'
import css from './permissions.module.css'

/** A letter for one operation, in the colour of its extent. */
export function Glyph({
  letter,
  extent,
}: {
  readonly letter: string
  readonly extent: Extent
}): ReactNode {
  return <span className={classes(css['glyph'], css[extent])} data-letter={letter} aria-hidden />
}
