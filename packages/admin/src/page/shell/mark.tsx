import type { ReactNode } from 'react'

export function Mark({ size = 22 }: { readonly size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="#5b5bd6" />
      <path
        d="M7 7.5h10M7 12h6.5M7 16.5h10"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  )
}
