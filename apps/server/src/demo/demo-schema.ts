// Made by engine-codegen from GET /schema: changes are lost when it runs again.

/** Every table with the types of its columns and its relations, for `definePermissions<Schema>`. */
export interface Schema {
  /** "accounts" in the connection "main". */
  'main.accounts': {
    columns: {
      id: 'text'
      email: 'text'
      name: 'text'
      role: 'text'
      customer_id: 'integer'
      employee_id: 'integer'
    }
    relations: {
      customer: { table: 'main.customers'; many: false }
      employee: { table: 'main.employees'; many: false }
    }
  }
  /** "categories" in the connection "main". */
  'main.categories': {
    columns: {
      id: 'integer'
      name: 'text'
      description: 'text'
    }
    relations: {
      products: { table: 'main.products'; many: true }
    }
  }
  /** "customers" in the connection "main". */
  'main.customers': {
    columns: {
      id: 'integer'
      company_name: 'text'
      contact_name: 'text'
      email: 'character varying'
      city: 'text'
      country: 'text'
      credit_limit: 'numeric'
      active: 'boolean'
      created_at: 'timestamp without time zone'
    }
    relations: {
      accounts: { table: 'main.accounts'; many: true }
      orders: { table: 'main.orders'; many: true }
    }
  }
  /** "employees" in the connection "main". */
  'main.employees': {
    columns: {
      id: 'integer'
      first_name: 'text'
      last_name: 'text'
      title: 'text'
      manager_id: 'integer'
      hired_on: 'date'
      salary: 'numeric'
      active: 'boolean'
    }
    relations: {
      accounts: { table: 'main.accounts'; many: true }
      employees: { table: 'main.employees'; many: true }
      manager: { table: 'main.employees'; many: false }
      orders: { table: 'main.orders'; many: true }
    }
  }
  /** "order_items" in the connection "main". */
  'main.order_items': {
    columns: {
      order_id: 'integer'
      product_id: 'integer'
      quantity: 'integer'
      unit_price: 'numeric'
      discount: 'numeric'
    }
    relations: {
      order: { table: 'main.orders'; many: false }
      product: { table: 'main.products'; many: false }
    }
  }
  /** "orders" in the connection "main". */
  'main.orders': {
    columns: {
      id: 'integer'
      customer_id: 'integer'
      employee_id: 'integer'
      status: 'text'
      freight: 'numeric'
      total_cents: 'bigint'
      order_date: 'timestamp without time zone'
      shipped_on: 'date'
      ship_city: 'text'
      notes: 'text'
    }
    relations: {
      customer: { table: 'main.customers'; many: false }
      employee: { table: 'main.employees'; many: false }
      order_items: { table: 'main.order_items'; many: true }
      products: { table: 'main.products'; many: true }
    }
  }
  /** "products" in the connection "main". */
  'main.products': {
    columns: {
      id: 'integer'
      name: 'text'
      sku: 'character varying'
      category_id: 'integer'
      unit_price: 'numeric'
      cost: 'numeric'
      units_in_stock: 'integer'
      discontinued: 'boolean'
      created_at: 'timestamp without time zone'
    }
    relations: {
      category: { table: 'main.categories'; many: false }
      order_items: { table: 'main.order_items'; many: true }
      orders: { table: 'main.orders'; many: true }
    }
  }
}
