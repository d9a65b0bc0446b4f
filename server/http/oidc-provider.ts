import { decodeJwt } from 'jose'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { ProviderClaims } from '@/server/access/oidc-claims'
import type { Env } from '@/server/base/env'
import { createAgent } from '@/server/base/transport'
import type { SignOn } from './single-sign-on'

const PROVIDER_TIMEOUT_MS = 10_000

/** Configures next-auth, which does discovery, PKCE, state, nonce, the exchange and the checks of the id token. */
export function createOidcProvider(oidc: NonNullable<Env['oidc']>, signOn: SignOn | null): OAuthConfig<ProviderClaims> {
  const { issuer, name, clientId, clientSecret } = oidc
  const { metadata, mustLogIn, isReauthentication } = signOn ?? {}
  // AD FS puts groups into the id token only for its own scope.
  const isAdfs = metadata?.scopes_supported.includes('allatclaims') === true
  return {
    id: 'oidc',
    name,
    type: 'oauth',
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    checks: ['pkce', 'state', 'nonce'],
    idToken: true,
    httpOptions: { timeout: PROVIDER_TIMEOUT_MS, agent: createAgent(new URL(issuer).protocol) },
    authorization: {
      params: {
        scope: isAdfs ? 'openid email profile allatclaims' : 'openid email profile',
        ...(mustLogIn && { prompt: 'login' }),
        // `max_age` obliges the provider to send `auth_time` (OpenID Connect Core 1.0, 3.1.2.1).
        ...(isReauthentication && { max_age: 0 }),
      },
    },
    userinfo: {
      request: async ({ client, tokens: { access_token = '', id_token = '' } }) => {
        const idToken = decodeJwt(id_token)
        const sub = String(idToken.sub)
        if (metadata?.userinfo_endpoint === undefined) return { idToken, userinfo: {}, sub }
        const userinfo = await client.userinfo(access_token)
        // OpenID Connect Core 1.0, section 5.3.2, forbids a response about another subject.
        if (userinfo.sub !== idToken.sub) throw new Error('userinfo is about another subject')
        return { idToken, userinfo, sub }
      },
    },
    profile: ({ idToken }) => ({ id: String(idToken.sub) }),
  }
}
