import 'server-only'
import type { Agent } from 'node:http'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { Env } from '@/server/base/env'
import type { ProviderClaims } from './oidc-claims'
import { SignOnError, signOnErrorOf } from './oidc-failure'
import type { ProviderMetadata } from './provider-check'

type Config = OAuthConfig<ProviderClaims>
type TokenRequest = NonNullable<Exclude<Config['token'], string | undefined>['request']>
type TokenCall = Parameters<TokenRequest>[0]
type UserinfoRequest = NonNullable<Exclude<Config['userinfo'], string | undefined>['request']>
type Client = TokenCall['client']

export type ProviderOptions = {
  oidc: NonNullable<Env['oidc']>
  metadata: ProviderMetadata | null
  limits: { timeoutMs: number; agent: Agent }
  prompt: 'login' | 'select_account' | null
  isProof: boolean
  profile: Config['profile']
  onIdToken: (idToken: string) => void
  onFailure: (error: SignOnError) => void
}

/** The metadata is `provider-check`'s: next-auth's own discovery trusts any issuer the address claims. */
export function oidcProvider(options: ProviderOptions): Config {
  const { oidc, metadata, limits, prompt, isProof, profile, onIdToken } = options
  const withReport = <Call, T>(work: (call: Call) => Promise<T>) => reportFailures(work, options)
  const userinfo = metadata?.userinfo_endpoint
  return {
    id: 'oidc',
    name: oidc.name,
    type: 'oauth',
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    ...(metadata && {
      issuer: metadata.issuer,
      jwks_endpoint: metadata.jwks_uri,
      client: { token_endpoint_auth_method: authMethod(metadata) },
      httpOptions: { timeout: limits.timeoutMs, agent: limits.agent },
    }),
    authorization: {
      ...(metadata && { url: metadata.authorization_endpoint }),
      params: {
        scope: scopeOf(metadata),
        ...(prompt && metadata && { prompt: allowedPrompt(prompt, metadata) }),
        ...(isProof && { max_age: 0 }),
      },
    },
    token: {
      ...(metadata && { url: metadata.token_endpoint }),
      request: withReport(async (call: TokenCall) => {
        const tokens = await exchange(call, metadata)
        onIdToken(tokens.id_token ?? '')
        return { tokens }
      }),
    },
    userinfo: {
      ...(userinfo !== undefined && { url: userinfo }),
      request: withReport(async ({ client, tokens }: Parameters<UserinfoRequest>[0]) => {
        const named: ProviderClaims['userinfo'] =
          userinfo === undefined ? {} : await client.userinfo(tokens.access_token ?? '')
        const idToken = decode(tokens.id_token).claims
        // Userinfo about another subject must not be used (OpenID Connect Core 1.0, section 5.3.2).
        if (Object.keys(named).length > 0 && named.sub !== idToken.sub) throw new SignOnError('userinfo-subject')
        return { idToken, userinfo: named, sub: String(idToken.sub) }
      }),
    },
    profile,
  }
}

/** AD FS puts groups into the id token only where its own scope asks for all claims. */
function scopeOf(metadata: ProviderMetadata | null): string {
  const isAdfs = metadata?.scopes_supported.includes('allatclaims') === true
  return `openid email profile${isAdfs ? ' allatclaims' : ''}`
}

function reportFailures<Call, T>(work: (call: Call) => Promise<T>, { limits, onFailure }: ProviderOptions) {
  return async (call: Call): Promise<T> => {
    const startedAt = performance.now()
    try {
      return await work(call)
    } catch (error) {
      const failure = signOnErrorOf(error, performance.now() - startedAt >= limits.timeoutMs)
      onFailure(failure)
      throw failure
    }
  }
}

/** Public keys only: anyone who knows a shared secret could sign, and `none` is no signature. */
export const ALGORITHMS: ReadonlySet<string> = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA'.split(' '),
)

/** openid-client needs the algorithm before it has seen the token, so the answer is checked in two steps. */
async function exchange({ client, params, checks, provider }: TokenCall, metadata: ProviderMetadata | null) {
  if (metadata?.authorization_response_iss_parameter_supported && params.iss === undefined)
    throw new SignOnError('state-lost', 'the provider promises an iss in its answers, and there is none')
  const { code, state, iss, error } = params
  const address = Object.fromEntries(Object.entries({ state, iss, error }).filter(([, value]) => value !== undefined))
  await client.callback(provider.callbackUrl, address, { state: checks.state ?? '' })
  if (code === undefined) throw new SignOnError('state-lost', 'no code in the answer')
  const tokens = await client.grant({
    grant_type: 'authorization_code',
    code,
    redirect_uri: provider.callbackUrl,
    code_verifier: checks.code_verifier,
  })
  const { id_token = '', access_token } = tokens
  const { alg, claims } = decode(id_token)
  if (!ALGORITHMS.has(alg) || !metadata?.id_token_signing_alg_values_supported.includes(alg))
    throw new SignOnError('token-algorithm', /^\w{1,10}$/.exec(alg)?.[0])
  const nonce = 'nonce' in checks ? checks.nonce : undefined
  const withHash = 'at_hash' in claims && access_token !== undefined
  await clientFor(client, alg).callback(
    provider.callbackUrl,
    { id_token, ...(withHash && { access_token }) },
    { nonce: nonce ?? '' },
  )
  // openid-client checks only `exp` and `nbf`, which a provider with a fast clock sets too late.
  if (typeof claims.iat === 'number' && claims.iat > Date.now() / 1000 + FUTURE_SECONDS)
    throw new SignOnError('clock', 'the id token is from the future')
  return tokens
}

const FUTURE_SECONDS = 300

function decode(idToken: string | undefined): { alg: string; claims: ProviderClaims['idToken'] } {
  try {
    return { alg: decodeProtectedHeader(idToken ?? '').alg ?? '', claims: decodeJwt(idToken ?? '') }
  } catch {
    throw new SignOnError('token-unreadable')
  }
}

/** For one algorithm, with the clock tolerance (10 s) that next-auth has set on the client by symbols. */
function clientFor(client: Client, alg: string): Client {
  const checker = new client.issuer.Client({
    client_id: String(client.metadata.client_id),
    id_token_signed_response_alg: alg,
  })
  for (const key of Object.getOwnPropertySymbols(client)) Reflect.set(checker, key, Reflect.get(client, key))
  return checker
}

function authMethod({ token_endpoint_auth_methods_supported: methods }: ProviderMetadata) {
  const isPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return isPost ? 'client_secret_post' : 'client_secret_basic'
}

function allowedPrompt(wanted: 'login' | 'select_account', { prompt_values_supported: known }: ProviderMetadata) {
  return known === undefined || known.includes(wanted) ? wanted : 'login'
}
