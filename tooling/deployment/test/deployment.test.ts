/** @module The files for containers and Kubernetes agree with each other and with the server, and grant as little as they can. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

// Starts the server's program: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const variables = {
  DATABASE_URL: 'postgres://shop:password@database/shop',
  SERVICE_DATABASE_URL: 'postgres://service:password@database/service',
  MASTER_KEY: 'a master key of more than thirty-two bytes',
  AUTH_SECRET: 'a secret of more than thirty-two bytes',
}

/** Fails with the faults of a configuration; nothing that it names is opened. */
async function checkConfiguration(text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-deployment-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'engine.config.json')
  await writeFile(file, text)
  const main = join(root, 'apps', 'server', 'src', 'main.ts')
  const words = ['--conditions=@engine/source', main, 'config', 'check', file]
  const env = { ...process.env, ...variables, NODE_ENV: 'production' }
  await run(process.execPath, words, { cwd: folder, env })
}

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: unknown
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly [probe: string]: unknown
}

interface Deployment {
  readonly spec: {
    readonly replicas: number
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly automountServiceAccountToken: boolean
        readonly terminationGracePeriodSeconds: number
        readonly securityContext: unknown
        readonly containers: readonly [Container]
      }
    }
  }
}

async function readResources(name: string): Promise<readonly unknown[]> {
  const documents = parseAllDocuments(await read(`deploy/kubernetes/${name}`))
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  return documents.map((each): unknown => each.toJS())
}

describe('Kubernetes', () => {
  test('the server understands the configuration', async () => {
    await checkConfiguration(await read('deploy/kubernetes/engine.config.json'))
  })

  test('nodes have no rights that they do not need', async () => {
    const [deployment] = (await readResources('deployment.yaml')) as [Deployment]
    const { spec } = deployment.spec.template
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('ports, probes and the time to stop are those of the configuration', async () => {
    const [{ spec }] = (await readResources('deployment.yaml')) as [Deployment]
    const config = JSON.parse(await read('deploy/kubernetes/engine.config.json'))
    const [container] = spec.template.spec.containers
    expect(container.ports).toEqual([
      { name: 'http', containerPort: config.port },
      { name: 'internal', containerPort: config.internal.port },
    ])
    for (const probe of ['startupProbe', 'livenessProbe']) {
      expect(container[probe]).toMatchObject({
        httpGet: { path: '/health/live', port: 'internal' },
      })
    }
    expect(container['readinessProbe']).toMatchObject({
      httpGet: { path: '/health/ready', port: 'internal' },
    })
    const seconds = config.stopDelay / 1000 + 20
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(seconds)
    const path = container.env.find(({ name }) => name === 'ENGINE_CONFIG')?.value
    expect(path).toMatch(/^\/etc\/engine\/engine\.config\.json$/)
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/etc/engine')
  })

  test('everything selects the nodes by one label', async () => {
    const [deployment, budget] = (await readResources('deployment.yaml')) as [Deployment, unknown]
    const { labels } = deployment.spec.template.metadata
    const [service] = await readResources('service.yaml')
    const [policy] = await readResources('network-policy.yaml')
    expect(deployment).toMatchObject({ spec: { selector: { matchLabels: labels } } })
    expect(budget).toMatchObject({ spec: { selector: { matchLabels: labels } } })
    expect(service).toMatchObject({ spec: { selector: labels, ports: [{ targetPort: 'http' }] } })
    expect(policy).toMatchObject({ spec: { podSelector: { matchLabels: labels } } })
  })

  test('the kustomization has every file', async () => {
    const [kustomization] = await readResources('kustomization.yaml')
    expect(kustomization).toMatchObject({
      resources: ['deployment.yaml', 'service.yaml', 'network-policy.yaml'],
      configMapGenerator: [{ name: 'engine', files: ['engine.config.json'] }],
      images: [{ name: 'engine' }],
    })
  })
})

describe('compose.yaml', () => {
  interface Compose {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly configs: Readonly<Record<string, { readonly content: string }>>
  }
  const readCompose = async (): Promise<Compose> => parse(await read('compose.yaml'))

  test('the server understands the configuration', async () => {
    const { configs } = await readCompose()
    await checkConfiguration(configs['engine']?.content.replaceAll('$$', '$') ?? '')
  })

  test('nodes have no rights that they do not need', async () => {
    const { services } = await readCompose()
    for (const name of ['node-a', 'node-b']) {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        networks: ['inside'],
      })
      expect(services[name]).not.toHaveProperty('ports')
    }
  })

  test('only the balancer is reachable, from this machine alone', async () => {
    const { services } = await readCompose()
    const open = Object.entries(services).filter(([, service]) => service['ports'] !== undefined)
    expect(open.map(([name, { ports }]) => [name, ports])).toEqual([
      ['balancer', ['127.0.0.1:8080:8080']],
    ])
  })
})

describe('Dockerfile', () => {
  test('it has the pnpm of the repository and does not run as root', async () => {
    const text = await read('Dockerfile')
    const { packageManager } = JSON.parse(await read('package.json'))
    expect(text).toContain(`npm install --global ${packageManager}\n`)
    expect(text.match(/^USER .*$/gm)).toEqual(['USER 1000:1000'])
  })

  test('the image has Node.js, the server and a directory for data, and no shell', async () => {
    const stages = (await read('Dockerfile')).split(/^FROM /m)
    const last = stages.at(-1) ?? ''
    expect(last).toMatch(/^gcr\.io\/distroless\/cc-debian12\n/)
    expect(last.match(/^COPY .*$/gm)).toEqual([
      'COPY --from=build /image/usr /usr',
      'COPY --from=build /image/server /server',
      'COPY --from=build --chown=1000:1000 /image/data /data',
    ])
    // Without a shell, words are a list.
    expect(last.match(/^(?:RUN|SHELL).*$/gm)).toBeNull()
    for (const line of last.match(/^(?:ENTRYPOINT|CMD| {2}CMD) .*$/gm) ?? []) {
      expect(line).toMatch(/(?:ENTRYPOINT|CMD) \[/)
    }
  })
})
