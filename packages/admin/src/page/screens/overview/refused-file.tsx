import type { EngineStatus } from '@engine/contract/admin-api'
import { FileWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './refused-file.module.css'

/** What is wrong with a configuration file that was changed, and where. */
export function RefusedFile({
  refused: { at, file, line, faults },
}: {
  readonly refused: NonNullable<EngineStatus['refusedConfiguration']>
}): ReactNode {
  return (
    <section className={css['refused']} role="alert" aria-label="Refused configuration">
      <FileWarning aria-hidden />
      <div className={css['texts']}>
        <h2 className={css['title']}>
          <bdi>{shortText(file, 200)}</bdi>
          {line !== null && `, line ${line},`} was changed and refused
        </h2>
        <p className={css['lead']}>
          <Time at={at} />: the server goes on with the configuration that it has. Save the file
          again without these faults.
        </p>
        <ul className={css['faults']}>
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code className={css['path']}>{shortText(path, 200)}</code>}
              <span className={css['message']}>{shortText(message, 2_000)}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
