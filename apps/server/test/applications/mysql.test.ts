import { describeEachMysql } from '@engine/test-databases/vitest'
import { applicationTests } from './application-tests.ts'

describeEachMysql('applications', (server) =>
  applicationTests(
    'mysql',
    [
      /sorting by this type is not supported/,
      /text of the type real is not supported/,
      /which has no primary key, is not supported/,
      // A date that does not exist in the calendar can be read, but not sent as a parameter or written.
      /date\/time field value out of range: \\"0000-00-00 00:00:00\\"/,
    ],
    server,
  ),
)
