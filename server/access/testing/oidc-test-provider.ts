import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'

type Claims = Record<string, unknown>
export type Account = { idToken: Claims; userinfo: Claims }

export type Lies = {
  discovery?: (document: Claims) => Claims
  /** Changes the id token, which is then signed again; `key` is not the provider's, `alg` as in the token's header. */
  idToken?: (claims: Claims) => Claims
  key?: KeyObject
  alg?: 'RS256' | 'none' | 'HS256'
  userinfo?: (claims: Claims) => Claims
  status?: Record<string, number>
}

export type TestProvider = Awaited<ReturnType<typeof startTestProvider>>

type Options = {
  accounts: Record<string, Account>
  /** The address of the Intag that signs in here. */
  origin: string
  port?: number
  /** Endpoints that the provider does not offer, as some do not. */
  without?: readonly ('userinfo_endpoint' | 'end_session_endpoint')[]
}

type SigningOptions = { header?: Claims; signingKey?: KeyObject }

export const CLIENT = { id: 'intag', secret: 'secret+of/the client' } as const

/** Starts a whole OpenID Connect provider on a port of its own. Its `lies` change what it answers. */
export async function startTestProvider(options: Options) {
  const { accounts, port = 0, without = [] } = options
  const lies: Lies = {}
  let handleRequest: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => handleRequest(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key: JsonWebKey = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'key-1' }
  const provider = new Provider(issuer, createConfiguration(options, key))
  const callback = provider.callback()
  handleRequest = (request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    const status = lies.status?.[path]
    if (status !== undefined) return void response.writeHead(status).end()
    if (path.startsWith('/interaction/')) return void interact(provider, accounts, request, response)
    if (path === '/token') changeBody(response, (body) => changeToken(lies, privateKey, body))
    if (path === '/me') changeBody(response, (body) => lies.userinfo?.(body) ?? body)
    if (path.endsWith('openid-configuration'))
      changeBody(response, (body) => {
        for (const name of without) delete body[name]
        return lies.discovery?.(body) ?? body
      })
    void callback(request, response)
  }
  return {
    issuer,
    lies,
    accounts,
    signClaims: (claims: Claims, { header = {}, signingKey = privateKey }: SigningOptions = {}) =>
      signToken({ alg: 'RS256', kid: 'key-1', typ: 'logout+jwt', ...header }, claims, signingKey),
    behave: () => Object.keys(lies).forEach((lie) => Reflect.deleteProperty(lies, lie)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function createConfiguration({ accounts, origin }: Options, key: JsonWebKey): Configuration {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }))
  const names = Object.values(accounts).flatMap(({ idToken, userinfo }) => Object.keys({ ...idToken, ...userinfo }))
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${origin}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${origin}/signin?signedOut`],
      },
    ],
    jwks: { keys: [key as never] },
    // The provider's own fetch would refuse to call this machine.
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
    claims: { openid: ['sub', ...new Set(names)], email: [], profile: [] },
    conformIdTokenClaims: false,
    cookies: { keys: ['for tests'] },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context, form) => void (context.body = renderPage('Logga ut?', form + LOG_OUT_BUTTON)),
        postLogoutSuccessSource: (context) => void (context.body = 'signed out'),
      },
    },
    renderError: (context, out) => void (context.body = JSON.stringify(out)),
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 300, AuthorizationCode: 60 },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: (use) => ({ sub: id, ...(use === 'userinfo' ? accounts[id]?.userinfo : accounts[id]?.idToken) }),
    }),
    async loadExistingGrant({ oidc }) {
      const grantOptions = { clientId: oidc.client?.clientId ?? '', accountId: oidc.session?.accountId ?? '' }
      const grant = new oidc.provider.Grant(grantOptions)
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

async function interact(
  provider: Provider,
  accounts: Options['accounts'],
  request: IncomingMessage,
  response: ServerResponse,
) {
  const [, , uid, choice = '', argument = ''] = (request.url ?? '').split('/')
  const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
    provider.interactionFinished(request, response, result)
  if (choice === 'as') return finish({ login: { accountId: argument }, select_account: {} })
  if (choice === 'no') return finish({ error: 'access_denied', error_description: decodeURIComponent(argument) })
  const links = Object.keys(accounts).map((id) => `<li><a href="/interaction/${uid}/as/${id}">${id}</a></li>`)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(renderPage('Vem är du?', `<ul>${links.join('')}</ul>`))
}

const LOG_OUT_BUTTON = '<button type="submit" form="op.logoutForm" value="yes" name="logout">Logga ut</button>'

/** The page has an icon, because a browser would request one otherwise and get a 404. */
function renderPage(title: string, content: string): string {
  return `<!doctype html><html lang="sv"><title>${title}</title><link rel="icon" href="data:,"><h1>${title}</h1>${content}</html>`
}

function changeBody(response: ServerResponse, change: (body: Claims) => Claims): void {
  const end = response.end.bind(response)
  response.end = ((body: string | Buffer) => {
    const isJson = String(response.getHeader('content-type')).includes('json') && response.statusCode === 200
    const changedBody = isJson ? JSON.stringify(change(JSON.parse(String(body)))) : body
    if (isJson) response.setHeader('content-length', Buffer.byteLength(String(changedBody)))
    return end(changedBody)
  }) as typeof response.end
}

function changeToken({ idToken, key: otherKey, alg }: Lies, key: KeyObject, body: Claims): Claims {
  if (!idToken && !otherKey && !alg) return body
  const parts = String(body.id_token).split('.').slice(0, 2)
  const [header, payload = {}] = parts.map((part): Claims => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const signingKey = alg === 'none' ? null : (otherKey ?? key)
  return {
    ...body,
    id_token: signToken({ ...header, alg: alg ?? 'RS256' }, idToken?.(payload) ?? payload, signingKey),
  }
}

function signToken(header: Claims, claims: Claims, signingKey: KeyObject | null): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${signingKey === null ? '' : sign('sha256', Buffer.from(text), signingKey).toString('base64url')}`
}
