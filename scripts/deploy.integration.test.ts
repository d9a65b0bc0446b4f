import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { SETTINGS } from '@/server/settings-schema'
import packageJson from '../package.json'

const read = (name: string) => readFileSync(join('deploy', name), 'utf8')

type Service = {
  image: string
  environment?: Record<string, string>
  networks: string[]
  ports?: string[]
  restart: string
  mem_limit: string
  healthcheck?: object
}
const compose: { services: Record<string, Service>; networks: Record<string, { internal?: boolean }> } = parse(
  read('compose.yaml'),
  { merge: true },
)
type Probe = { httpGet: { path: string } }
type Container = {
  env: { name: string; value: string }[]
  securityContext: object
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
}
type Resource = {
  kind: string
  data?: object
  stringData?: object
  spec: {
    strategy?: object
    minAvailable?: number
    template: { spec: { containers: Container[]; securityContext: object } }
  }
}
const documents = parseAllDocuments(read('kubernetes/intag.yaml'))
const resources: Resource[] = documents.map((document) => document.toJS())
const [container] = resources.find(({ kind }) => kind === 'Deployment')?.spec.template.spec.containers ?? []

const OTHERS = new Set(['NODE_ENV', 'PATH'])

function unknown(names: readonly string[]): string[] {
  const known = new Set(SETTINGS.map(({ name }) => name))
  return names.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')) && !OTHERS.has(name))
}

describe('every variable that is set is one', () => {
  const keysOf = (kind: string) =>
    resources.flatMap((found) => (found.kind === kind ? Object.keys(found.data ?? found.stringData ?? {}) : []))

  const namesIn = (found: string[] | null) => [...(found?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name)

  test.each([
    ['compose.yaml', Object.keys(compose.services['intag-1']?.environment ?? {})],
    ['the manifests', [...keysOf('ConfigMap'), ...keysOf('Secret'), ...(container?.env.map(({ name }) => name) ?? [])]],
    ['Dockerfile', namesIn(/^ENV (.+)$/m.exec(read('Dockerfile')))],
    ['intag.service', namesIn(/^Environment=(.+)$/m.exec(read('intag.service')))],
  ])('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(2)
    expect(unknown(names)).toEqual([])
  })
})

test('the pod’s secrets are its files', () => {
  const secrets = Object.keys(resources.find(({ kind }) => kind === 'Secret')?.stringData ?? {})
  expect(container?.env).toEqual(secrets.map((name) => ({ name: `${name}_FILE`, value: `/run/secrets/intag/${name}` })))
})

test('what is asked whether it lives and is ready are routes of the app', () => {
  const probed = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
    (probe) => probe?.httpGet.path ?? '',
  )
  const checked = [...read('Dockerfile').matchAll(/(\/api\/[\w/]+)/g)].map(([path]) => path)
  expect([probed, checked]).toEqual([
    ['/api/health/live', '/api/health/live', '/api/health/ready'],
    ['/api/health/live'],
  ])
  for (const path of [...probed, ...checked]) expect(existsSync(join('app', path, 'route.ts')), path).toBe(true)
})

test('the manifests can be read, are restricted, and take nothing away before something new is ready', () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  const kinds = ['ConfigMap', 'Secret', 'Deployment', 'PodDisruptionBudget', 'Service', 'Ingress', 'NetworkPolicy']
  expect(resources.map(({ kind }) => kind)).toEqual(kinds)
  expect(container?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const spec = resources.find(({ kind }) => kind === 'Deployment')?.spec
  expect(spec?.strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } })
  expect(spec?.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
})

test('of the composed services only nginx can be reached, and each has its limits', () => {
  const { nginx, ...behind } = compose.services
  expect(Object.keys(behind)).toEqual(['intag-1', 'intag-2', 'database', 'redis'])
  expect(Object.values(behind).every(({ ports }) => ports === undefined)).toBe(true)
  const networks = [compose.services.database, compose.services.redis, nginx].map((one) => one?.networks)
  expect(networks).toEqual([['inside'], ['inside'], ['outside']])
  expect(compose.networks.inside?.internal).toBe(true)
  for (const [name, { restart, mem_limit: limit, healthcheck, image }] of Object.entries(compose.services)) {
    expect([restart, Boolean(limit)], name).toEqual(['unless-stopped', true])
    expect(healthcheck !== undefined || image === 'intag', name).toBe(true)
  }
})

test('what the watchdog noted outlives a restart of its instance, and systemd restarts it however often', () => {
  for (const name of ['intag-1', 'intag-2'])
    expect(compose.services[name]).toMatchObject({ volumes: [`${name}:/data`] })
  const unit = read('intag.service')
  const seconds = (name: string) => Number(new RegExp(`^${name}=(\\d+)`, 'm').exec(unit)?.[1])
  expect(seconds('StartLimitBurst') * (30 + seconds('RestartSec'))).toBeGreaterThan(
    seconds('StartLimitIntervalSec') * 60,
  )
})

test('the composed Redis keeps what was sent, on a volume', () => {
  expect(compose.services.redis).toMatchObject({ volumes: ['redis:/data'] })
  expect(read('compose.yaml')).toMatch(/printf "requirepass %s\\ndir \/data\\n.*\\nappendonly yes\\n/)
})

test('the server starts with the same flags everywhere, and everything that is copied is there', () => {
  expect(read('intag')).toContain(`${packageJson.scripts.start} ;;`)
  const copied = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
  expect(copied.length).toBeGreaterThan(10)
  expect(copied.filter((path) => !existsSync(path))).toEqual([])
  const isCopied = (path: string) => copied.some((one) => path === one || path.startsWith(`${one}/`))
  const named = /const READ = \[(.*?)\]/s.exec(readFileSync('scripts/standalone.mjs', 'utf8'))?.[1] ?? ''
  const wanted = [...named.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '')
  expect(wanted).toContain('public')
  expect(wanted.filter((path) => !isCopied(path))).toEqual([])
  expect(read('intag.service')).toMatch(/^ExecStart=\/opt\/intag\/deploy\/intag start$/m)
})

test('nginx buffers no stream and logs no query', () => {
  const config = read('nginx.conf')
  expect(config).toMatch(/^ {4}proxy_buffering off;$/m)
  expect(/log_format intag .*/.exec(config)?.[0]).not.toMatch(
    /\$(request|request_uri|args|query_string|http_referer|uri\?)\b/,
  )
  expect(config.match(/access_log .*;/g)).toEqual(['access_log off;', 'access_log /dev/stdout intag;'])
})
