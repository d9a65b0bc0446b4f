import 'server-only'
import { decodeJwt } from 'jose'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { Env } from '@/server/base/env'
import { createAgent } from '@/server/base/transport'
import type { ProviderClaims } from './oidc-claims'
import type { ProviderMetadata } from './provider-check'

/** `proof`: the provider must ask the person now, and say when it did. */
export type ProviderPrompt = 'login' | 'proof' | null

/** `metadata` is null where nothing is asked of the provider. */
type Asking = { metadata: ProviderMetadata | null; prompt: ProviderPrompt }

const TIMEOUT_MS = 10_000

/** Discovery, PKCE, state, nonce, the exchange and the checks of the id token are next-auth's. */
export function oidcProvider(
  oidc: NonNullable<Env['oidc']>,
  { metadata, prompt }: Asking = { metadata: null, prompt: null },
): OAuthConfig<ProviderClaims> {
  // AD FS puts groups into the id token only where its own scope asks for all claims.
  const isAdfs = metadata?.scopes_supported.includes('allatclaims') === true
  return {
    id: 'oidc',
    name: oidc.name,
    type: 'oauth',
    wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    client: metadata ? { id_token_signed_response_alg: metadata.algorithm } : {},
    checks: ['pkce', 'state', 'nonce'],
    idToken: true,
    httpOptions: { timeout: TIMEOUT_MS, agent: createAgent(new URL(oidc.issuer).protocol) },
    authorization: {
      params: {
        scope: `openid email profile${isAdfs ? ' allatclaims' : ''}`,
        ...(prompt && { prompt: 'login' }),
        ...(prompt === 'proof' && { max_age: 0 }),
      },
    },
    userinfo: {
      request: async ({ client, tokens: { access_token = '', id_token = '' } }) => {
        const idToken = decodeJwt(id_token)
        const hasUserinfo = metadata?.userinfo_endpoint !== undefined
        const userinfo: ProviderClaims['userinfo'] = hasUserinfo ? await client.userinfo(access_token) : {}
        // OpenID Connect Core 1.0, section 5.3.2.
        if (hasUserinfo && userinfo.sub !== idToken.sub) throw new Error('userinfo is about another subject')
        return { idToken, userinfo, sub: String(idToken.sub) }
      },
    },
    profile: ({ idToken }) => ({ id: String(idToken.sub) }),
  }
}
