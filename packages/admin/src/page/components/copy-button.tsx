import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** @param label says what is copied. */
export function CopyButton({
  text,
  label = 'Copy',
  isNamed = false,
}: {
  readonly text: string
  readonly label?: string
  /** Shows the label. */
  readonly isNamed?: boolean
}): ReactNode {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true))
  }
  return (
    <Button
      look={isNamed ? 'default' : 'ghost'}
      size="small"
      aria-label={label}
      title={label}
      icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      onClick={copy}
    >
      {isNamed ? (isCopied ? 'Copied' : label) : undefined}
    </Button>
  )
}
