import type { ReactNode } from 'react'
import './style.css'

export const metadata = { title: 'Shop' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  )
}
