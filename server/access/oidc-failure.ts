import 'server-only'
import { randomInt } from 'node:crypto'
import type { SignOnCause } from '@/lib/contract/single-sign-on'
import { AppError } from '@/server/errors'
import { TimeOutError } from '@/server/upstream/deadline'

/** A sign-in by the provider that cannot go on. `detail` is ours or a code of the provider's, never a claim or a token. */
export class SignOnError extends AppError {
  static override readonly tag = 'SignOnError'

  constructor(
    override readonly cause: SignOnCause,
    readonly detail = '',
  ) {
    super(`${cause} ${detail}`.trim())
  }
}

/** What a person reads out to an administrator, who finds it in the log. Without letters that look alike. */
export function failureCode(): string {
  return Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/**
 * What went wrong, from an error of openid-client or of Node's sockets. The messages of the former quote what they
 * expected and got, so that they are recognised by their beginning and not repeated.
 */
export function signOnErrorOf(error: unknown, wasSlow = false): SignOnError {
  if (error instanceof SignOnError) return error
  if (error instanceof TimeOutError || wasSlow) return new SignOnError('provider-slow')
  if (!(error instanceof Error)) return new SignOnError('provider-error')
  const code = textAt(error, 'code')
  if (isCertificateCode(code)) return new SignOnError('certificate', code)
  if (isNetworkCode(code)) return new SignOnError('provider-unreachable', code)
  if (error.name === 'OPError') return refusalOf(textAt(error, 'error'), textAt(error, 'error_description'))
  const known = MESSAGES.find(({ begins }) => begins.test(error.message))
  if (known) return new SignOnError(known.cause)
  return error instanceof SyntaxError
    ? new SignOnError('token-unreadable')
    : new SignOnError('provider-error', error.name)
}

function textAt(error: object, key: string): string {
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : ''
}

/** Node's names: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH/.test(code)
}

function isNetworkCode(code: string): boolean {
  return /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|ERR_STREAM|HPE_|UND_ERR|PROXY_)/.test(code)
}

/** The beginnings of openid-client 5's messages, in `lib/client.js` and `lib/helpers`. */
const MESSAGES: readonly { begins: RegExp; cause: SignOnCause }[] = [
  { begins: /^outgoing request timed out/, cause: 'provider-slow' },
  { begins: /^(state (missing|mismatch)|checks\.state|iss (missing|mismatch))/, cause: 'state-lost' },
  { begins: /^nonce mismatch/, cause: 'token-nonce' },
  { begins: /^unexpected iss value/, cause: 'token-issuer' },
  { begins: /^(aud |azp |missing required JWT property azp)/, cause: 'token-audience' },
  { begins: /^JWT (expired|not active yet|iat|exp|nbf)/, cause: 'clock' },
  { begins: /^(failed to validate JWT signature|no valid key found|multiple matching keys)/, cause: 'token-signature' },
  { begins: /^unexpected JWT alg/, cause: 'token-algorithm' },
  { begins: /^userinfo sub mismatch/, cause: 'userinfo-subject' },
  { begins: /^(at_hash|failed to decode JWT|missing required|id_token not present)/, cause: 'token-unreadable' },
]

/**
 * What the provider's own word comes to (RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6). Of its
 * description, which may name the person, only the code of Entra ID goes on.
 */
export function refusalOf(error: string, description = ''): SignOnError {
  const [entraCode = ''] = /AADSTS\d{3,9}/.exec(description) ?? []
  const word = /^[a-z_]{1,60}$/.test(error) ? error : ''
  const [, status = ''] = /^expected .* got: (\d{3})/.exec(error) ?? []
  const detail = [word, entraCode, status && `status ${status}`].filter(Boolean).join(' ')
  return new SignOnError(ENTRA[entraCode] ?? WORDS[word] ?? byStatus(status), detail)
}

/** https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const ENTRA: Readonly<Record<string, SignOnCause>> = {
  AADSTS50105: 'not-assigned',
  AADSTS65001: 'consent-missing',
  AADSTS65004: 'consent-missing',
  AADSTS90094: 'consent-missing',
  AADSTS50011: 'redirect-uri',
  AADSTS7000215: 'client-secret',
  AADSTS7000222: 'client-secret',
  AADSTS700016: 'client-refused',
}

const WORDS: Readonly<Record<string, SignOnCause>> = {
  invalid_client: 'client-secret',
  unauthorized_client: 'client-refused',
  unsupported_response_type: 'client-refused',
  invalid_scope: 'client-refused',
  invalid_request: 'client-refused',
  redirect_uri_mismatch: 'redirect-uri',
  invalid_redirect_uri: 'redirect-uri',
  invalid_grant: 'code-refused',
  invalid_token: 'userinfo-refused',
  insufficient_scope: 'userinfo-refused',
  access_denied: 'access-denied',
  consent_required: 'consent-missing',
  server_error: 'provider-error',
  temporarily_unavailable: 'provider-error',
}

/**
 * openid-client makes an error of an answer that has none: `expected 200 OK, got: 503 Service Unavailable`. Only userinfo may say no
 * without one (RFC 6750, section 3.1).
 */
function byStatus(status: string): SignOnCause {
  if (status === '') return 'provider-refused'
  return status === '401' || status === '403' ? 'userinfo-refused' : 'provider-error'
}

/** What the log says to whoever set it up. */
export const CAUSE_WORDS: Readonly<Record<SignOnCause, string>> = {
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
  'client-refused': "the provider does not let this client ask so: look at the client's registration there",
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
  'access-denied': 'the person or the provider said no',
  'not-assigned': 'the person is not assigned to the application at the provider',
  'consent-missing': "an administrator's consent is missing at the provider",
  'provider-refused': 'the provider refused the sign-in',
  'email-missing': 'no e-mail in the claims: scope, claim rule, or OIDC_TRUST_EMAIL for preferred_username and upn',
  'email-unverified': 'email_verified is not true: see OIDC_TRUST_EMAIL',
  'group-overage': 'Entra ID left the groups out, there are too many: send only groups assigned to the application',
  'bound-otherwise':
    'the e-mail belongs to somebody who is bound to another subject of this provider: unbind them first',
  disabled: 'the person is disabled in Intag',
  'unknown-person': 'nobody in Intag has this e-mail',
  'nothing-mapped': 'OIDC_ROLE_MAP and OIDC_SCHOOL_MAP give this person nothing',
  'not-fresh':
    'the provider did not say that it has just asked the person (auth_time): let it send that claim, and not go round prompt=login',
  'other-person': 'asked whether it is still they, another person answered',
  'intag-unavailable': 'Intag itself could not: see the error before this line',
}
