import { createRemoteJWKSet } from 'jose'
import { z } from 'zod'
import type { SignOnCause } from '@/lib/contract/service-report'
import { readErrorCode } from '@/server/base/error-codes'
import { AppError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createAgent, type Transport } from '@/server/base/transport'

export type ProviderMetadata = Awaited<ReturnType<typeof readMetadata>>

const TIMEOUT_MS = 5_000
const METADATA_TTL_MS = 10 * 60_000

/** Reads the provider's metadata (OpenID Connect Discovery), and caches it for ten minutes. */
export function createProviderDiscovery(options: { issuer: string; transport: Transport; now: () => number }) {
  const { issuer, transport, now } = options
  let lastMetadata: ProviderMetadata | null = null
  const read = async () => {
    lastMetadata = await readMetadata(transport, issuer)
    return lastMetadata
  }
  const cache = createInvalidatedCache({ read, ttlMs: () => METADATA_TTL_MS, now, maxEntries: 1 })
  const getMetadata = () => cache.get(issuer)
  return {
    getMetadata,
    /** Tells administrators why the provider cannot be used; null if it can. */
    explainProblem: async () => {
      try {
        await getMetadata()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : 'unknown'
      }
    },
    /** Whether the provider sends `auth_time`. This is assumed until its metadata has been read. */
    sendsAuthTime: () => lastMetadata?.claims_supported.includes('auth_time') ?? true,
  }
}

/** `signOnCause` is shown to the user; the message is for the log and for administrators. */
export class SignOnError extends AppError {
  static override readonly tag = 'SignOnError'

  constructor(
    readonly signOnCause: SignOnCause,
    message: string,
  ) {
    super(message)
  }
}

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  claims_supported: z.array(z.string()).default([]),
  scopes_supported: z.array(z.string()).default([]),
})
const keysSchema = z.object({
  keys: z.array(z.object({ kty: z.string(), use: z.string().optional(), alg: z.string().optional() })),
})

/** Which type of key (RFC 7518) signs by the algorithms that begin so. */
const KEY_TYPES: Readonly<Record<string, string>> = { RS: 'RSA', PS: 'RSA', ES: 'EC', Ed: 'OKP' }

/** OpenID Connect Discovery 1.0, section 4. Unlike next-auth, it accepts only the configured issuer. */
async function readMetadata(transport: Transport, issuer: string) {
  const parsed = metadataSchema.safeParse(await readJson(transport, `${issuer}/.well-known/openid-configuration`))
  if (!parsed.success) throw new SignOnError('setup', `its description is incomplete: ${z.prettifyError(parsed.error)}`)
  const metadata = parsed.data
  // The setting and the provider often differ in a trailing slash. Tokens are checked against the provider's spelling.
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new SignOnError('setup', `OIDC_ISSUER is not what the provider calls itself: ${metadata.issuer}`)
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = metadata
  const { protocol } = new URL(issuer)
  const addresses = [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri]
  if (addresses.some((address) => address !== undefined && new URL(address).protocol !== protocol))
    throw new SignOnError('setup', `an address in its description is not ${protocol}//`)
  const keys = keysSchema.safeParse(await readJson(transport, jwks_uri)).data?.keys ?? []
  // Only public keys are accepted: anyone who knows a shared secret could sign, and `none` means unsigned.
  const hasKey = (algorithm: string) => {
    const keyType = KEY_TYPES[algorithm.slice(0, 2)]
    return keys.some(({ kty, use, alg = algorithm }) => use !== 'enc' && alg === algorithm && kty === keyType)
  }
  // next-auth needs the algorithm in advance: RS256, the default of OpenID Connect, unless the keys are for others.
  const advertised = metadata.id_token_signing_alg_values_supported
  const algorithm = ['RS256', ...advertised].find((name) => advertised.includes(name) && hasKey(name))
  if (algorithm === undefined) throw new SignOnError('setup', 'it publishes no public key for an algorithm it names')
  const agent = createAgent(protocol)
  return { ...metadata, algorithm, keys: createRemoteJWKSet(new URL(jwks_uri), { agent, timeoutDuration: TIMEOUT_MS }) }
}

async function readJson(transport: Transport, url: string): Promise<unknown> {
  try {
    const response = await transport({ url, headers: {}, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    return await response.json()
  } catch (error) {
    const reason = readErrorCode(error) || (error instanceof Error ? error.message : '')
    throw new SignOnError('unreachable', `${url}: ${reason}`)
  }
}
