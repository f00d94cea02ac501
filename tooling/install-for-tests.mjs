// @ts-check
/**
 * @module Installs the browser and the clients of tests on a temporary build machine (`CI=true`), and fetches servers. A run of
 * all checks calls it beside the type check: downloads leave the cores to the compiler. Elsewhere the global setup of the tests
 * does it.
 */
import { setup as installBrowser } from './test-browser/src/global-setup.ts'
import { obtainServers } from './test-databases/src/obtain/obtain-servers.ts'
import { setup as installClients } from './wire-clients/src/global-setup.ts'

obtainServers()
installBrowser()
installClients()
