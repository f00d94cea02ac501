import { visibleRows } from '../server/gateway.ts'
import { Search } from './search.tsx'

// Rendered for each request: the rows are those of now.
export const dynamic = 'force-dynamic'

/** A server component: its query runs in this process, and no HTTP is between. */
export default async function Page() {
  const products = await visibleRows('select id, name, price from main.products order by id')
  return (
    <>
      <h1>Shop</h1>
      <ul aria-label="Products">
        {products.map(([id, name, price]) => (
          <li key={String(id)}>
            <span>{String(name)}</span> <span>{String(price)} €</span>
          </li>
        ))}
      </ul>
      <Search />
    </>
  )
}
