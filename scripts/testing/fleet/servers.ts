import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '@/scripts/testing/free-port'
import { createMachine, listensOn, type Machine } from './machine'

export type Server = Machine & { port: number }

const program = (paths: string[]) => paths.flatMap((path) => globSync(path)).at(-1) ?? null
const PROGRAMS = {
  postgresql: () => program(['/usr/lib/postgresql/*/bin/postgres']),
  nginx: () => program(['/usr/local/sbin/nginx', '/usr/sbin/nginx']),
  openssl: () => program(['/usr/bin/openssl', '/usr/local/bin/openssl']),
}
export const poolerProgram = () => program(['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'])

export function missingPrograms(): string[] {
  return Object.entries(PROGRAMS).flatMap(([name, find]) => (find() === null ? [name] : []))
}

const INITDB = ['-A', 'trust', '-U', 'intag', '-E', 'UTF8', '--locale=C']

export async function createPostgres(folder: string): Promise<Server & { url: string }> {
  const port = await freePort()
  const home = join(folder, 'postgres')
  const data = join(home, 'data')
  const binary = PROGRAMS.postgresql() ?? ''
  const owner = ownerOfPostgres()
  mkdirSync(home)
  if (owner !== null) {
    execFileSync('chown', ['postgres', home])
    // PostgreSQL must pass through the folder of this run, which only root may list.
    chmodSync(folder, 0o711)
  }
  execFileSync(binary.replace(/postgres$/, 'initdb'), ['-D', data, ...INITDB], { ...owner, cwd: home, stdio: 'ignore' })
  const url = `postgres://intag@127.0.0.1:${port}/postgres`
  const args = ['-D', data, '-p', String(port), '-k', home, '-c', 'listen_addresses=127.0.0.1']
  const launch = () => ({ command: binary, args, options: { ...owner, cwd: home } })
  return { ...createMachine({ name: 'postgresql', folder, launch, isReady: () => answers(url) }), port, url }
}

export type PoolMode = 'session' | 'transaction' | 'statement'

/** PgBouncer before a PostgreSQL of `createPostgres`, with its default settings but for the mode. */
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
  // Whatever the mask of new files is here, PgBouncer runs as another user.
  chmodSync(settings, 0o644)
  const url = `postgres://intag@127.0.0.1:${port}/postgres`
  const launch = () => ({ command: poolerProgram() ?? '', args: [settings], options: { ...ownerOfPostgres() } })
  return { ...createMachine({ name: `pgbouncer-${mode}`, folder, launch, isReady: () => answers(url) }), port, url }
}

function ownerOfPostgres(): { uid: number; gid: number } | null {
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
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 2'.split(' ')

export async function createProxy(folder: string, port: number, instances: readonly number[]): Promise<Server> {
  const home = join(folder, 'nginx')
  mkdirSync(home)
  const settings = join(home, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'root' : null
  writeFileSync(settings, proxySettings({ folder: home, user, port, instances }))
  execFileSync('openssl', [...CERTIFICATE, '-keyout', join(home, 'tls.key'), '-out', join(home, 'tls.crt')], {
    stdio: 'ignore',
  })
  const args = ['-p', home, '-c', settings, '-e', join(home, 'error.log')]
  const launch = () => {
    for (const leftOver of ['nginx.pid', 'plain.sock']) rmSync(join(home, leftOver), { force: true })
    return { command: PROGRAMS.nginx() ?? '', args }
  }
  return { ...createMachine({ name: 'nginx', folder, launch, isReady: () => listensOn(port) }), port }
}

type ProxyOptions = { folder: string; user: string | null; port: number; instances: readonly number[] }

/** The shipped `deploy/nginx.conf` with variables filled in, and addresses, ports and paths of this run. `folder` has certificate and key. */
export function proxySettings({ folder, user, port, instances }: ProxyOptions): string {
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${user === null ? '' : `user ${user};`}
events { worker_connections 1024; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;

${onThisMachine(readFileSync('deploy/nginx.conf', 'utf8'), { folder, port, instances })}}
`
}

function onThisMachine(shipped: string, { folder, port, instances }: Omit<ProxyOptions, 'user'>): string {
  const [first = 0, ...others] = instances
  const second = /^ {2}server \$\{INTAG_2\}.*\n/m.exec(shipped)?.[0] ?? '  server ${INTAG_2}'
  const replacements: [string, string][] = [
    ['${INTAG_1}', `127.0.0.1:${first}`],
    [second, others.map((other) => second.replace('${INTAG_2}', `127.0.0.1:${other}`)).join('')],
    ['  listen 80;\n  listen [::]:80;\n', `  listen unix:${folder}/plain.sock;\n`],
    ['  listen 443 ssl http2;\n  listen [::]:443 ssl http2;\n', `  listen 127.0.0.1:${port} ssl http2;\n`],
    ['${TLS_CERTIFICATE}', `${folder}/tls.crt`],
    ['${TLS_KEY}', `${folder}/tls.key`],
    ['access_log /var/log/nginx/access.log ', `access_log ${folder}/access.log `],
    ['error_log /var/log/nginx/error.log ', `error_log ${folder}/error.log `],
  ]
  return replacements.reduce((text, [from, to]) => {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`deploy/nginx.conf has ${parts.length - 1} times: ${from}`)
    return parts.join(to)
  }, shipped)
}
