import 'server-only'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { SignIn } from './sign-in'
import type { Env } from '@/server/env'

/** Any OpenID Connect provider, found by its discovery document. `profile` answers our user's id, not the provider's. */
export function oidcProvider(oidc: NonNullable<Env['oidc']>, signIn: SignIn): OAuthConfig<Record<string, unknown>> {
  return {
    id: 'oidc',
    name: oidc.name,
    type: 'oauth',
    wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    async profile(claims) {
      const result = await signIn.withClaims(claims)
      return { id: result.ok ? result.user.id : UNKNOWN_PERSON }
    },
  }
}

/** next-auth wants an id to go on; the sign-in callback then refuses this one. */
export const UNKNOWN_PERSON = 'unknown-person'
