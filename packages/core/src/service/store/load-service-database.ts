import { exportOf } from '../../foundation/load-package.ts'
import type { ServiceDatabaseFactory } from './service-database.ts'

/** Finds the installed adapter package of the service database. */
export async function loadServiceDatabase(
  packageName: string,
  directory: string,
): Promise<ServiceDatabaseFactory> {
  return (await exportOf(packageName, directory, 'serviceDatabase')) as ServiceDatabaseFactory
}
