import 'server-only'
import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIP, Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export type ProxySettings = { https: URL | null; http: URL | null; except: readonly string[] }

export const DIRECT: ProxySettings = { https: null, http: null, except: [] }

const OPEN_MS = 10_000

export function agentTo(address: string, settings: ProxySettings, options: https.AgentOptions = {}): http.Agent {
  const isSecure = address.startsWith('https:')
  const agent = isSecure ? new https.Agent(options) : new http.Agent(options)
  const proxy = proxyFor(new URL(address), settings)
  return proxy ? tunnelAgent(proxy, agent, isSecure) : agent
}

export function proxyFor({ protocol, hostname, port }: URL, settings: ProxySettings): URL | null {
  const isSecure = protocol === 'https:'
  const proxy = isSecure ? settings.https : settings.http
  const host = withoutBrackets(hostname)
  return settings.except.some((except) => matchesEntry(except, host, port || (isSecure ? '443' : '80'))) ? null : proxy
}

/** As curl reads NO_PROXY: `*`, `name` and all below it, an address, `10.0.0.0/8`; each with a port or not. */
function matchesEntry(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, network = '', bits] = /^([\d.]+|[\da-f:]+)\/(\d{1,3})$/i.exec(entry) ?? []
  if (bits !== undefined) return isInNetwork(host, network, Number(bits))
  const [, bracketed, named = entry, only] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const name = (bracketed ?? named).replace(/^\*?\.+/, '').toLowerCase()
  return name !== '' && (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)))
}

function isInNetwork(host: string, network: string, bits: number): boolean {
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(host) === 0 || isIP(network) === 0 || bits > (family === 'ipv6' ? 128 : 32)) return false
  const list = new BlockList()
  list.addSubnet(network, bits, family)
  return list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}

function withoutBrackets(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** The proxy sees a host and a port, and nothing inside TLS. */
function tunnelAgent(proxy: URL, agent: http.Agent, isSecure: boolean): http.Agent {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (target, callback) => {
    open(proxy, `${target.host ?? 'localhost'}`, Number(target.port), (error, socket) => {
      if (error) callback?.(error, new Socket())
      else callback?.(null, (isSecure && connect(Object.assign({}, target, { socket }))) || socket)
    })
    return null
  }
  return agent
}

/** CONNECT (RFC 9110, 9.3.6). Errors name neither the proxy nor its user. */
function open(proxy: URL, host: string, port: number, done: (error: ProxyError | null, socket: Duplex) => void): void {
  const path = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const failed = (code: string) => done(new ProxyError(code), new Socket())
  const request = (proxy.protocol === 'https:' ? https : http).request({
    host: withoutBrackets(proxy.hostname),
    port: proxy.port,
    method: 'CONNECT',
    path,
    headers: { host: path, ...authorization(proxy) },
    agent: false,
    signal: AbortSignal.timeout(OPEN_MS),
  })
  request.once('connect', ({ statusCode = 0 }, socket, head) => {
    if (statusCode >= 200 && statusCode < 300) {
      if (head.length > 0) socket.unshift(head)
      return done(null, socket)
    }
    socket.destroy()
    failed(`PROXY_REFUSED_${statusCode}`)
  })
  request.once('error', ({ code = 'FAILED', name }: NodeJS.ErrnoException) => {
    failed(name === 'AbortError' ? 'PROXY_TIMEOUT' : `PROXY_${code}`)
  })
  request.end()
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { 'proxy-authorization': `Basic ${credentials.toString('base64')}` }
}

/** `code` is what logs and screens show: `PROXY_ECONNREFUSED`, `PROXY_REFUSED_407`, `PROXY_TIMEOUT`. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'

  constructor(readonly code: string) {
    super(`the proxy did not open a way (${code})`)
  }
}
