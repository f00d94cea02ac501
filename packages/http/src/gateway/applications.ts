/** @module The HTTP applications of a gateway: one pair for each configuration, and a switch between them. */
import type { RefusedConfiguration } from '@engine/contract/admin-api'
import type { Config } from '@engine/core'
import type { EngineGeneration } from '@engine/core/server'
import { createAdminLinks } from '../administrators/admin-links.ts'
import { type AdminSources, type AppOptions, buildApp, buildInternalApp } from '../app.ts'
import { createFreshness } from '../interactive/freshness.ts'
import type { Interactive } from '../interactive/open-interactive.ts'
import { type Cancellation, createCancellation } from '../request/cancellation.ts'
import { type BuiltApp, createSwitchingApp, type SwitchingApp } from '../switching-app.ts'
import type { Gateway, GatewayOptions } from './gateway-interface.ts'
import type { Services, ServicesOptions } from './open-services.ts'
import { type ProcessState, processState } from './siblings.ts'

export interface ApplicationsOptions
  extends Pick<
      GatewayOptions,
      | 'adminSite'
      | 'guessRules'
      | 'findSchemas'
      | 'demo'
      | 'version'
      | 'remoteAddress'
      | 'basePath'
      | 'hasRootPage'
    >,
    Pick<ServicesOptions, 'isDevelopment' | 'siblings' | 'engineOptions'> {}

/** Of one configuration. */
export interface BuiltApps {
  readonly app: BuiltApp
  /** undefined where no internal port is configured. */
  readonly internalApp: BuiltApp | undefined
}

export class Applications {
  readonly cancellation: Cancellation = createCancellation()
  readonly links: ReturnType<typeof createAdminLinks>
  readonly state: () => ProcessState
  /** False while the process shuts down. */
  isReady = true
  /** A configuration file that was changed and refused. */
  refusal: RefusedConfiguration | undefined
  readonly #services: Services
  readonly #options: ApplicationsOptions
  readonly #interactive: () => Interactive | undefined
  #app: SwitchingApp | undefined
  #internalApp: SwitchingApp | undefined

  /** @param interactive the stored configuration, once it is open. */
  constructor(
    services: Services,
    options: ApplicationsOptions,
    interactive: () => Interactive | undefined,
  ) {
    const { clock } = options.engineOptions
    this.#services = services
    this.#options = options
    this.#interactive = interactive
    this.links = createAdminLinks(clock)
    this.state = processState(services.engine, clock)
    services.activity?.begin(this.state)
  }

  /** The applications of the first configuration; `replace` changes what they do. */
  start(written: Config): Pick<Gateway, 'app' | 'internalApp'> {
    const { engine } = this.#services
    const { app, internalApp } = this.build(engine.current(), written)
    const interactive = this.#interactive()
    this.#app = createSwitchingApp(app, interactive && createFreshness(interactive.follower))
    this.#internalApp = internalApp && createSwitchingApp(internalApp)
    return { app: this.#app.app, internalApp: this.#internalApp?.app }
  }

  /** @param written the configuration as it is written. */
  build({ engine, uses }: EngineGeneration, written: Config): BuiltApps {
    const { store, auth, apiKeys, limiter, audit, metrics, tracing } = this.#services
    const { isDevelopment, remoteAddress, basePath, hasRootPage, version } = this.#options
    const options: AppOptions = {
      isDevelopment,
      log: this.#options.engineOptions.log,
      store,
      auth,
      apiKeys,
      limiter,
      audit: engine.settings.audit.enabled ? audit : undefined,
      admin: this.#adminSources(written),
      metrics,
      tracing,
      cancellation: this.cancellation,
      uses,
      isReady: () => this.isReady,
      remoteAddress,
      basePath,
      hasRootPage,
      version,
    }
    return {
      app: buildApp(engine, options),
      internalApp: engine.settings.internal && buildInternalApp(engine, options),
    }
  }

  /** Later requests are answered by these. */
  replace({ app, internalApp }: BuiltApps): void {
    this.#app?.replace(app)
    if (internalApp !== undefined) this.#internalApp?.replace(internalApp)
  }

  #adminSources(written: Config): AdminSources | undefined {
    const { audit, store, sessions, activity } = this.#services
    const { adminSite, guessRules, findSchemas, demo, version, siblings, engineOptions } =
      this.#options
    if (!(audit && store && sessions && activity)) return undefined
    return {
      audit,
      store,
      sessions,
      links: this.links,
      activity,
      site: adminSite,
      guessRules,
      findSchemas,
      demo,
      config: () => written,
      configuration: this.#interactive(),
      refusal: () => this.refusal,
      version,
      clock: engineOptions.clock,
      siblings,
      state: this.state,
    }
  }
}
