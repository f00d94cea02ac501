/** @module The vocabulary of the demo shop. */

export const categories: readonly (readonly [name: string, description: string])[] = [
  ['Beverages', 'Teas, coffees and syrups'],
  ['Condiments', 'Sauces, relishes and spreads'],
  ['Bakery', 'Breads, crackers and pasta'],
  ['Dairy', 'Cheeses and butter'],
  ['Produce', 'Dried fruit and vegetables'],
  ['Sweets', 'Candies and chocolate'],
]

export const adjectives: readonly string[] = [
  'Smoked',
  'Golden',
  'Alpine',
  'Wild',
  'Crisp',
  'Dark',
  'Aged',
  'Salted',
  'Candied',
  'Fresh',
]

export const goods: readonly string[] = [
  'Chai',
  'Syrup',
  'Chutney',
  'Rye Bread',
  'Cheddar',
  'Figs',
  'Truffle',
  'Mustard',
  'Espresso',
  'Crackers',
  'Butter',
  'Honey',
]

export const firstNames: readonly string[] = [
  'Ada',
  'Maria',
  'Björn',
  'Chloé',
  'Jonas',
  'Noor',
  'Tomás',
  'Ingrid',
  'Yuki',
  'Zoë',
  'Luca',
  'Amara',
]

export const lastNames: readonly string[] = [
  'Nordwind',
  'Lindqvist',
  'García',
  'Okafor',
  'Weber',
  'Tanaka',
  'Novák',
  'Moreau',
  'Silva',
  'Larsen',
  'Kowalski',
  'Rossi',
]

export const companyForms: readonly string[] = ['Foods', 'Trading', 'Market', 'Imports', 'Deli']

export const titles: readonly string[] = ['Sales', 'Support', 'Warehouse', 'Buyer']

export const places: readonly (readonly [city: string, country: string])[] = [
  ['Oslo', 'Norway'],
  ['Malmö', 'Sweden'],
  ['Lyon', 'France'],
  ['Porto', 'Portugal'],
  ['Graz', 'Austria'],
  ['Leeds', 'United Kingdom'],
  ['Osaka', 'Japan'],
  ['Austin', 'United States'],
]

export const statuses: readonly string[] = [
  'new',
  'paid',
  'shipped',
  'shipped',
  'shipped',
  'cancelled',
]

export const notes: readonly string[] = [
  'call before delivery',
  'gift wrap',
  'leave at the gate',
  'fragile',
]
