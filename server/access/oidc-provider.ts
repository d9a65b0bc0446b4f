import 'server-only'
import type { Agent } from 'node:http'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { Env } from '@/server/env'
import type { ProviderClaims } from './oidc-claims'
import type { ProviderMetadata } from './oidc-discovery'
import { SignOnError, signOnErrorOf } from './oidc-failure'

type Config = OAuthConfig<ProviderClaims>
type TokenRequest = NonNullable<Exclude<Config['token'], string | undefined>['request']>
type TokenCall = Parameters<TokenRequest>[0]
type UserinfoRequest = NonNullable<Exclude<Config['userinfo'], string | undefined>['request']>
type Client = TokenCall['client']

/** How long a request to the provider may take as a whole; the agent ends the socket of one that takes longer. */
export type ProviderLimits = { timeoutMs: number; agent: Agent }

export type ProviderOptions = {
  oidc: NonNullable<Env['oidc']>
  /** Null when nothing is asked of the provider in this request. */
  metadata: ProviderMetadata | null
  limits: ProviderLimits
  prompt: 'login' | 'select_account' | null
  /** Whoever is signed in there already is asked all the same, and the token says when. */
  isProof: boolean
  profile: Config['profile']
  onIdToken: (idToken: string) => void
  /** Told of whatever goes wrong once the answer is known to belong to a sign-in of this browser. */
  onFailure: (error: SignOnError) => void
}

/**
 * Any OpenID Connect provider, as next-auth wants it described. Its metadata is what `provider-check` found, so that the issuer is
 * the one of the settings; next-auth's own discovery would believe whatever the address says of itself.
 */
export function oidcProvider(options: ProviderOptions): Config {
  const { oidc, metadata, limits, prompt, isProof, profile, onIdToken } = options
  const told = <Call, T>(work: (call: Call) => Promise<T>) => tellFailures(work, options)
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
        scope: oidc.scope,
        ...(prompt && metadata && { prompt: allowedPrompt(prompt, metadata) }),
        ...(isProof && { max_age: 0 }),
      },
    },
    token: {
      ...(metadata && { url: metadata.token_endpoint }),
      request: told(async (call: TokenCall) => {
        const tokens = await exchange(call, metadata)
        onIdToken(tokens.id_token ?? '')
        return { tokens }
      }),
    },
    userinfo: {
      ...(userinfo !== undefined && { url: userinfo }),
      request: told(async ({ client, tokens }: Parameters<UserinfoRequest>[0]) => {
        const named = userinfo === undefined ? {} : await client.userinfo(tokens.access_token ?? '')
        const claims = checkedSubject({ idToken: idTokenClaims(tokens.id_token ?? ''), userinfo: named })
        return { ...claims, sub: String(claims.idToken.sub) }
      }),
    },
    profile,
  }
}

/** The signature was checked when it came. */
function idTokenClaims(idToken: string): ProviderClaims['idToken'] {
  return JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8'))
}

/** What userinfo says of somebody else must not be used (OpenID Connect Core 1.0, section 5.3.2). */
function checkedSubject(claims: ProviderClaims): ProviderClaims {
  const { sub } = claims.userinfo
  if (Object.keys(claims.userinfo).length > 0 && sub !== claims.idToken.sub) throw new SignOnError('userinfo-subject')
  return claims
}

function tellFailures<Call, T>(work: (call: Call) => Promise<T>, { limits, onFailure }: ProviderOptions) {
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

/** Of public keys only: with a shared secret whoever knows it could sign, and `none` is no signature at all. */
export const ALGORITHMS: ReadonlySet<string> = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
])

/**
 * The code for tokens, and the id token checked. openid-client wants to be told the one algorithm before it has seen the token, and
 * providers name many: so the address is checked first (state, `iss`, errors), then the code exchanged, then the token checked
 * by the algorithm that it has, if it is among those.
 */
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
  const idToken = tokens.id_token ?? ''
  const alg = algorithmOf(idToken)
  if (!ALGORITHMS.has(alg) || !metadata?.id_token_signing_alg_values_supported.includes(alg))
    throw new SignOnError(idToken === '' ? 'token-unreadable' : 'token-algorithm', /^\w{1,10}$/.exec(alg)?.[0])
  const nonce = 'nonce' in checks ? checks.nonce : undefined
  const withHash = 'at_hash' in idTokenClaims(idToken) && tokens.access_token !== undefined
  await checking(client, alg).callback(
    provider.callbackUrl,
    { id_token: idToken, ...(withHash && { access_token: tokens.access_token }) },
    { nonce: nonce ?? '' },
  )
  refuseFuture(idTokenClaims(idToken))
  return tokens
}

function algorithmOf(idToken: string): string {
  try {
    const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString('utf8'))
    const alg: unknown = typeof header === 'object' && header !== null ? Reflect.get(header, 'alg') : ''
    return typeof alg === 'string' ? alg : ''
  } catch {
    throw new SignOnError('token-unreadable')
  }
}

/** The same client for one algorithm, with what next-auth has set on it by symbols: how far clocks may differ (10 s). */
function checking(client: Client, alg: string): Client {
  const checker = new client.issuer.Client({
    client_id: String(client.metadata.client_id),
    id_token_signed_response_alg: alg,
  })
  for (const key of Object.getOwnPropertySymbols(client)) Reflect.set(checker, key, Reflect.get(client, key))
  return checker
}

const FUTURE_SECONDS = 300

/** openid-client looks at `exp` and `nbf` only, and a provider whose clock is ahead writes an `exp` that is too late. */
function refuseFuture({ iat }: ProviderClaims['idToken']): void {
  if (typeof iat === 'number' && iat > Date.now() / 1000 + FUTURE_SECONDS)
    throw new SignOnError('clock', 'the id token is from the future')
}

function authMethod({ token_endpoint_auth_methods_supported: methods }: ProviderMetadata) {
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? ('client_secret_basic' as const)
    : ('client_secret_post' as const)
}

/** Not every provider knows how to ask for another account; to ask for the password anew comes to the same. */
function allowedPrompt(
  wanted: 'login' | 'select_account',
  { prompt_values_supported: known }: ProviderMetadata,
): string {
  return known === undefined || known.includes(wanted) ? wanted : 'login'
}
