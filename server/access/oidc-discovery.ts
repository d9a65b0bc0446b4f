import 'server-only'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { createDeadline } from '@/server/upstream/deadline'
import type { Transport } from '@/server/upstream/transport'
import { SignOnError, signOnErrorOf } from './oidc-failure'

/** What Intag needs of a provider's metadata (OpenID Connect Discovery 1.0, section 3). */
export type ProviderMetadata = z.infer<typeof metadataSchema>
/** `keys` are those to check signatures with (RFC 7517). */
export type Discovered = { metadata: ProviderMetadata; keys: JSONWebKeySet; clockAheadMs: number | null }

const address = z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text))
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  claims_supported: z.array(z.string()).default([]),
  prompt_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})
const keysSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), use: z.string().optional() })) })

type Parts = { transport: Transport; now: () => number; timeoutMs: number }

/**
 * Asks the provider for its metadata and its keys, and checks all of it that can be checked before anybody signs in.
 * Throws `SignOnError`. The client's secret and redirect address show only when they are used.
 */
export async function discover(parts: Parts, issuer: string): Promise<Discovered> {
  const { body, date } = await read(parts, `${issuer}/.well-known/openid-configuration`, 'discovery-unreadable')
  const receivedAt = parts.now()
  const metadata = checkedMetadata(body, issuer)
  const keys = keysSchema.safeParse((await read(parts, metadata.jwks_uri, 'keys-unreadable')).body)
  const signing = keys.data?.keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc') ?? []
  if (signing.length === 0) throw new SignOnError('keys-unreadable', 'no key to check signatures with')
  const providersClock = Date.parse(date ?? '')
  return {
    metadata,
    keys: { keys: signing as JSONWebKeySet['keys'] },
    clockAheadMs: Number.isNaN(providersClock) ? null : aheadMs(providersClock, receivedAt),
  }
}

/** The header tells whole seconds, rounded down. */
function aheadMs(providersMs: number, oursMs: number): number {
  const seconds = Math.floor(oursMs / 1000) * 1000
  return Math.abs(providersMs - seconds) <= 1000 ? 0 : providersMs - seconds
}

function checkedMetadata(body: unknown, issuer: string): ProviderMetadata {
  const parsed = metadataSchema.safeParse(body)
  if (!parsed.success) {
    const missing = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]
    throw new SignOnError(missing.includes('issuer') ? 'discovery-unreadable' : 'endpoint-missing', missing.join(', '))
  }
  const metadata = parsed.data
  if (metadata.issuer.includes('{tenantid}'))
    throw new SignOnError('issuer-mismatch', 'the address is for all tenants; OIDC_ISSUER must name one')
  // Exactly one of the two often ends with a slash; the provider's own spelling is what its tokens have.
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new SignOnError('issuer-mismatch', `the provider calls itself ${shortAddress(metadata.issuer)}`)
  const unsafe = Object.entries(metadata).find(
    ([name, value]) => /_(endpoint|uri)$/.test(name) && typeof value === 'string' && !isAsSafe(value, issuer),
  )
  if (unsafe) throw new SignOnError('endpoint-missing', `${unsafe[0]} is not ${new URL(issuer).protocol}//`)
  return metadata
}

function isAsSafe(endpoint: string, issuer: string): boolean {
  return new URL(endpoint).protocol === new URL(issuer).protocol
}

function shortAddress(text: string): string {
  return URL.canParse(text) ? text.slice(0, 200) : 'something that is no address'
}

const MOST_BYTES = 500_000

/** The JSON at an address, within the time allowed as a whole. A redirect is an answer like any other that is not 200. */
async function read({ transport, timeoutMs }: Parts, url: string, cause: 'discovery-unreadable' | 'keys-unreadable') {
  const deadline = createDeadline(timeoutMs)
  try {
    const headers = { accept: 'application/json' }
    const response = await deadline.orTimeOut(transport({ url, headers, signal: deadline.signal }))
    if (response.status >= 500) throw new SignOnError('provider-error', `status ${response.status}`)
    if (response.status !== 200) throw new SignOnError(cause, `status ${response.status}`)
    const text = await deadline.orTimeOut(limitedText(response))
    return { body: parseJson(text, cause), date: response.headers.get('date') }
  } catch (error) {
    throw signOnErrorOf(error)
  } finally {
    deadline.stop()
  }
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) throw new SignOnError('discovery-unreadable', 'an answer that is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string, cause: 'discovery-unreadable' | 'keys-unreadable'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SignOnError(cause, 'the answer is not JSON')
  }
}
