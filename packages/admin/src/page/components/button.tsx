import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import css from './button.module.css'
import { classes } from './classes.ts'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary`: one on a screen. `danger`: it ends or removes something. */
  readonly look?: 'default' | 'primary' | 'ghost' | 'danger'
  readonly size?: 'normal' | 'small'
  readonly icon?: ReactNode
  /** Its work is under way: it cannot be pressed again. */
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  look = 'default',
  size = 'normal',
  icon,
  isBusy = false,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(
        css['button'],
        css[look],
        css[size],
        children === undefined && css['square'],
        className,
      )}
    >
      {isBusy ? <LoaderCircle className={css['turning']} aria-hidden /> : icon}
      {children}
    </button>
  )
}
