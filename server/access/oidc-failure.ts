import 'server-only'
import { randomInt } from 'node:crypto'
import type { SignOnCause } from '@/lib/contract/single-sign-on'
import { TimeOutError } from '@/server/upstream/deadline'

/** A sign-in by the provider that cannot go on. `detail` is ours or a code of the provider's, never a claim or a token. */
export class SignOnError extends Error {
  override readonly name = 'SignOnError'

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
  return /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|ERR_STREAM|HPE_|UND_ERR)/.test(code)
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
  const detail = [word, entraCode].filter(Boolean).join(' ')
  return new SignOnError(ENTRA[entraCode] ?? WORDS[word] ?? byStatus(error), detail)
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

/** openid-client makes an error of an answer that has none: `expected 200 OK, got: 503 Service Unavailable`. */
function byStatus(error: string): SignOnCause {
  const [, status] = /^expected .* got: (\d{3})/.exec(error) ?? []
  return status === undefined ? 'provider-refused' : 'provider-error'
}
