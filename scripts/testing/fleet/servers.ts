import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Client } from 'pg'
import { freePort } from '@/scripts/testing/free-port'
import { createMachine, type Machine } from '@/scripts/testing/machine'

export type Server = Machine & { port: number }

const PROGRAMS = {
  postgresql: '/usr/lib/postgresql/*/bin/postgres',
  nginx: '/usr/{local/,}sbin/nginx',
  openssl: '/usr/{local/,}bin/openssl',
  pgbouncer: '/usr/{sbin,local/bin}/pgbouncer',
}
type Program = keyof typeof PROGRAMS
const findProgram = (name: Program) => globSync(PROGRAMS[name]).at(-1) ?? ''

/** Returns whether this machine has these programs. Under CI it throws if one is missing. */
export function hasPrograms(...names: Program[]): boolean {
  const missing = names.filter((name) => findProgram(name) === '')
  if (missing.length > 0 && process.env.CI === 'true') throw new Error(`Under CI there must be ${missing.join(', ')}.`)
  return missing.length === 0
}

const INITDB = ['-A', 'trust', '-U', 'intag', '-E', 'UTF8', '--locale=C']

export async function createPostgres(folder: string): Promise<Server & { url: string }> {
  const port = await freePort()
  const home = join(folder, 'postgres')
  const data = join(home, 'data')
  const binary = findProgram('postgresql')
  const owner = findPostgresOwner()
  mkdirSync(home)
  if (owner !== null) {
    execFileSync('chown', ['postgres', home])
    // PostgreSQL must pass through the folder of this run, which only root may list.
    chmodSync(folder, 0o711)
  }
  execFileSync(binary.replace(/postgres$/, 'initdb'), ['-D', data, ...INITDB], { ...owner, cwd: home, stdio: 'ignore' })
  const url = `postgres://intag@127.0.0.1:${port}/postgres`
  const args = ['-D', data, '-p', String(port), '-k', home, '-c', 'listen_addresses=127.0.0.1']
  const options = { ...owner, cwd: home }
  const isReady = () => answers(url)
  return { ...createMachine({ name: 'postgresql', folder, command: binary, args, options, isReady }), port, url }
}

export type PoolMode = 'session' | 'transaction' | 'statement'

/** Creates a PgBouncer in front of a PostgreSQL, with its default settings except for the mode. */
export async function createPooler(
  folder: string,
  postgres: Server,
  mode: PoolMode,
): Promise<Server & { url: string }> {
  const port = await freePort()
  const settings = join(folder, `${mode}.ini`)
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${postgres.port} user=intag
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  )
  // PgBouncer runs as another user, who must be able to read its settings whatever the umask is here.
  chmodSync(settings, 0o644)
  const url = `postgres://intag@127.0.0.1:${port}/postgres`
  const start = { command: findProgram('pgbouncer'), args: [settings], options: { ...findPostgresOwner() } }
  return { ...createMachine({ name: `pgbouncer-${mode}`, folder, ...start, isReady: () => answers(url) }), port, url }
}

function findPostgresOwner(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const id = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost'

/** Creates an nginx with the shipped `deploy/nginx.conf`. From now on this process trusts its certificate. */
export async function createProxy(folder: string, port: number, instances: readonly number[]): Promise<Server> {
  const home = join(folder, 'nginx')
  mkdirSync(home)
  const [settings, certificate] = [join(home, 'nginx.conf'), join(home, 'tls.crt')]
  writeFileSync(settings, createProxyConfig(home, port, instances))
  const files = ['-keyout', join(home, 'tls.key'), '-out', certificate]
  execFileSync('openssl', [...CERTIFICATE.split(' '), ...files], { stdio: 'ignore' })
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')])
  const args = ['-p', home, '-c', settings, '-e', join(home, 'error.log')]
  const isReady = () =>
    fetch(`https://localhost:${port}`).then(
      () => true,
      () => false,
    )
  return { ...createMachine({ name: 'nginx', folder, command: findProgram('nginx'), args, isReady }), port }
}

/** Puts the addresses, ports and paths of this run into the shipped configuration. */
function createProxyConfig(home: string, port: number, [first = 0, ...others]: readonly number[]): string {
  const shipped = readFileSync('deploy/nginx.conf', 'utf8')
  const second = /^ {2}server \$\{INTAG_2\}.*\n/m.exec(shipped)?.[0] ?? 'a second server'
  const replacements: [string, string][] = [
    ['${INTAG_1}', `127.0.0.1:${first}`],
    [second, others.map((other) => second.replace('${INTAG_2}', `127.0.0.1:${other}`)).join('')],
    ['  listen 80;\n  listen [::]:80;\n', `  listen unix:${home}/plain.sock;\n`],
    ['  listen 443 ssl http2;\n  listen [::]:443 ssl http2;\n', `  listen 127.0.0.1:${port} ssl http2;\n`],
    ['${TLS_CERTIFICATE}', `${home}/tls.crt`],
    ['${TLS_KEY}', `${home}/tls.key`],
    ['access_log /var/log/nginx/access.log ', `access_log ${home}/access.log `],
    ['error_log /var/log/nginx/error.log ', `error_log ${home}/error.log `],
  ]
  const http = replacements.reduce((text, [old, replacement]) => {
    const parts = text.split(old)
    if (parts.length !== 2) throw new Error(`deploy/nginx.conf has ${parts.length - 1} times: ${old}`)
    return parts.join(replacement)
  }, shipped)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  )
  return `daemon off;
worker_processes 1;
pid ${home}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
${folders.join('\n')}
${http}}
`
}
