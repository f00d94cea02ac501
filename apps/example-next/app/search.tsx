'use client'

import { type FormEvent, useState } from 'react'

/** In the browser: it sends SQL to the route, which answers under the same permissions. */
export function Search() {
  const [found, setFound] = useState<readonly (readonly [string, number])[]>()
  const search = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const most = Number(new FormData(event.currentTarget).get('most'))
    const sql = 'select name, price from main.products where price <= $1 order by price'
    const response = await fetch('/api/engine/data', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, params: [most], method: 'all' }),
    })
    const { rows } = await response.json()
    setFound(rows ?? [])
  }
  return (
    <form onSubmit={search}>
      <label>
        At most <input name="most" type="number" defaultValue={50} required /> €
      </label>
      <button type="submit">Search</button>
      {found && (
        <p role="status">
          {found.length === 0 ? 'Nothing.' : found.map(([name]) => name).join(', ')}
        </p>
      )}
    </form>
  )
}
