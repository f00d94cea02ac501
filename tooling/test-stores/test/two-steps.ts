import { columnTypes, type Migration } from '@engine/core/store'

/** Creates two tables; a second run would fail. `halfway` is between two changes of the second migration. */
export function twoSteps(halfway: () => Promise<void>): readonly Migration[] {
  return [
    {
      name: 'steps/0001-one',
      up: async (database, kind) => {
        const { id } = columnTypes(kind)
        await database.schema.createTable('engine_one').addColumn('id', id).execute()
      },
    },
    {
      name: 'steps/0002-two',
      up: async (database, kind) => {
        const { id } = columnTypes(kind)
        const create = database.schema.createTable('engine_two').addColumn('id', id)
        await (kind === 'mysql' ? create.ifNotExists() : create).execute()
        await halfway()
        await database.insertInto('engine_two').values({ id: 'x' }).execute()
      },
    },
  ]
}
