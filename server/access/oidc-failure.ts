import 'server-only'
import { randomInt } from 'node:crypto'
import type { SignOnCause } from '@/lib/contract/feed-status'
import { AppError, textAt } from '@/server/base/errors'
import { TimeOutError } from '@/server/base/deadline'

/** `detail` is ours or the provider's error code, never a claim or a token. */
export class SignOnError extends AppError {
  static override readonly tag = 'SignOnError'

  constructor(
    override readonly cause: SignOnCause,
    readonly detail = '',
  ) {
    super(`${cause} ${detail}`.trim())
  }
}

export function failureCode(): string {
  return Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** openid-client's messages quote their input, so they are matched by prefix and never repeated. */
export function signOnErrorOf(error: unknown, wasSlow = false): SignOnError {
  if (error instanceof SignOnError) return error
  if (error instanceof TimeOutError || wasSlow) return new SignOnError('provider-slow')
  if (!(error instanceof Error)) return new SignOnError('provider-error')
  const code = textAt(error, 'code')
  if (CERTIFICATE.test(code)) return new SignOnError('certificate', code)
  if (NETWORK.test(code)) return new SignOnError('provider-unreachable', code)
  if (error.name === 'OPError') return refusalOf(textAt(error, 'error'), textAt(error, 'error_description'))
  const [, cause] = MESSAGES.find(([beginning]) => beginning.test(error.message)) ?? []
  if (cause) return new SignOnError(cause)
  if (error instanceof SyntaxError) return new SignOnError('token-unreadable')
  return new SignOnError('provider-error', error.name)
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH/
const NETWORK = /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|ERR_STREAM|HPE_|UND_ERR|ERR_PROXY_)/

/** Prefixes of openid-client 5's messages (`lib/client.js`, `lib/helpers`). */
const MESSAGES: readonly [RegExp, SignOnCause][] = [
  [/^outgoing request timed out/, 'provider-slow'],
  [/^(state (missing|mismatch)|checks\.state|iss (missing|mismatch))/, 'state-lost'],
  [/^nonce mismatch/, 'token-nonce'],
  [/^unexpected iss value/, 'token-issuer'],
  [/^(aud |azp |missing required JWT property azp)/, 'token-audience'],
  [/^JWT (expired|not active yet|iat|exp|nbf)/, 'clock'],
  [/^(failed to validate JWT signature|no valid key found|multiple matching keys)/, 'token-signature'],
  [/^unexpected JWT alg/, 'token-algorithm'],
  [/^userinfo sub mismatch/, 'userinfo-subject'],
  [/^(at_hash|failed to decode JWT|missing required|id_token not present)/, 'token-unreadable'],
]

/** RFC 6749, 4.1.2.1 and 5.2. The description may name the user; only Entra ID's code is kept. */
export function refusalOf(error: string, description = ''): SignOnError {
  const [entraCode = ''] = /AADSTS\d{3,9}/.exec(description) ?? []
  const word = /^[a-z_]{1,60}$/.test(error) ? error : ''
  const [, status = ''] = /^expected .* got: (\d{3})/.exec(error) ?? []
  const detail = [word, entraCode, status && `status ${status}`].filter(Boolean).join(' ')
  return new SignOnError(causeOf(entraCode) ?? causeOf(word) ?? byStatus(status), detail)
}

/** Entra ID's codes: https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const CODES: Partial<Record<SignOnCause, string>> = {
  'not-assigned': 'AADSTS50105',
  'consent-missing': 'AADSTS65001 AADSTS65004 AADSTS90094 consent_required',
  'redirect-uri': 'AADSTS50011 redirect_uri_mismatch invalid_redirect_uri',
  'client-secret': 'AADSTS7000215 AADSTS7000222 invalid_client',
  'client-refused': 'AADSTS700016 unauthorized_client unsupported_response_type invalid_scope invalid_request',
  'code-refused': 'invalid_grant',
  'userinfo-refused': 'invalid_token insufficient_scope',
  'access-denied': 'access_denied',
  'provider-error': 'server_error temporarily_unavailable',
}

function causeOf(word: string): SignOnCause | undefined {
  const entries = Object.entries(CODES) as [SignOnCause, string][]
  return entries.find(([, words]) => words.split(' ').includes(word))?.[0]
}

/** For an answer without an error code; only userinfo may refuse without one (RFC 6750, 3.1). */
function byStatus(status: string): SignOnCause {
  if (status === '') return 'provider-refused'
  return status === '401' || status === '403' ? 'userinfo-refused' : 'provider-error'
}

export const CAUSE_TEXTS: Readonly<Record<SignOnCause, string>> = {
  'provider-unreachable': 'the provider cannot be reached: network, name, or it is down',
  'provider-slow': 'the provider has not answered in time (10 s)',
  'provider-error': 'the provider answered with an error of its own',
  certificate:
    "the provider's certificate is not trusted: self-signed, expired, or for another name (NODE_EXTRA_CA_CERTS)",
  'discovery-unreadable': 'OIDC_ISSUER leads to no readable /.well-known/openid-configuration',
  'issuer-mismatch': 'OIDC_ISSUER is not what the provider calls itself',
  'endpoint-missing': "an address that is needed is missing or unsafe in the provider's metadata",
  'keys-unreadable': "the provider's keys cannot be read",
  'client-secret': 'OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is wrong, or the secret has expired',
  'client-refused': "the provider refuses this request of the client: check the client's registration there",
  'redirect-uri': 'the redirect address is not registered: NEXTAUTH_URL with /api/auth/callback/oidc',
  'code-refused': 'the provider refused its own code: it was used twice, is too old, or meant for another address',
  'state-lost': 'the answer belongs to no sign-in that began in this browser: cookies lost, too late, or forged',
  'token-issuer': 'the id token is from another issuer',
  'token-audience': 'the id token is for another client',
  'token-nonce': 'the id token is for another sign-in',
  'token-signature': 'the signature of the id token is wrong',
  'token-algorithm': 'the id token is not signed by an algorithm of public keys that the provider names',
  'token-unreadable': 'the answer of the token endpoint cannot be read',
  clock: 'the id token is too old or not valid yet: compare the clocks',
  'userinfo-refused': 'the userinfo endpoint refused the access token',
  'userinfo-subject': 'userinfo and the id token are about different people',
  'access-denied': 'the person or the provider refused',
  'not-assigned': 'the person is not assigned to the application at the provider',
  'consent-missing': "an administrator's consent is missing at the provider",
  'provider-refused': 'the provider refused the sign-in',
  'email-missing': 'no e-mail in the claims: scope, claim rule, or OIDC_TRUST_EMAIL for preferred_username and upn',
  'email-unverified': 'email_verified is not true: see OIDC_TRUST_EMAIL',
  'group-overage': 'Entra ID left the groups out, there are too many: send only groups assigned to the application',
  'bound-otherwise': 'the e-mail belongs to a user who is bound to another subject of this provider: unbind them first',
  disabled: 'the person is disabled in Intag',
  'unknown-person': 'no user in Intag has this e-mail',
  'nothing-mapped': 'OIDC_ROLE_MAP and OIDC_SCHOOL_MAP give this person nothing',
  'not-fresh':
    'the provider did not confirm a fresh sign-in (auth_time): let it send that claim, and obey prompt=login',
  'other-person': 'another user re-authenticated',
  'intag-unavailable': 'Intag itself failed: see the error before this line',
}
