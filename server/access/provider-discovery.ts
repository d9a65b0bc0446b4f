import { createRemoteJWKSet } from 'jose'
import { z } from 'zod'
import { MINUTE_MS } from '@/lib/time/durations'
import { readErrorCode } from '@/server/base/error-codes'
import { SignOnError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createAgent, type Transport } from '@/server/base/transport'

export type ProviderMetadata = Awaited<ReturnType<typeof readMetadata>>

type DiscoveryOptions = { issuer: string; transport: Transport; now: () => number }

const TIMEOUT_MS = 5_000
const METADATA_TTL_MS = 10 * MINUTE_MS

/** Reads the provider's metadata (OpenID Connect Discovery), and caches it for ten minutes. */
export function createProviderDiscovery({ issuer, transport, now }: DiscoveryOptions) {
  let lastMetadata: ProviderMetadata | null = null
  const read = async () => {
    lastMetadata = await readMetadata(transport, issuer)
    return lastMetadata
  }
  const cache = createInvalidatedCache({ read, ttlMs: () => METADATA_TTL_MS, now, maxEntries: 1 })
  const getMetadata = () => cache.get(issuer)
  return {
    getMetadata,
    /** Returns null if the provider can be used. */
    explainProblem: () =>
      getMetadata().then(
        () => null,
        (error: Error) => error.message,
      ),
    /** Until the metadata has been read, the provider is assumed to send `auth_time`, so that no proof is skipped. */
    sendsAuthTime: () => lastMetadata?.claims_supported.includes('auth_time') ?? true,
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

/** Follows OpenID Connect Discovery 1.0, section 4. Unlike next-auth, this accepts only the configured issuer. */
async function readMetadata(transport: Transport, issuer: string) {
  const parsed = metadataSchema.safeParse(await readJson(transport, `${issuer}/.well-known/openid-configuration`))
  if (!parsed.success) throw new SignOnError('setup', `its description is incomplete: ${z.prettifyError(parsed.error)}`)
  const metadata = parsed.data
  // The setting and the provider often differ in a trailing slash. Tokens are checked against the provider's spelling.
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new SignOnError('setup', `OIDC_ISSUER is not what the provider calls itself: ${metadata.issuer}`)
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = metadata
  const { protocol } = new URL(issuer)
  for (const address of [authorization_endpoint, token_endpoint, userinfo_endpoint ?? issuer, jwks_uri])
    if (new URL(address).protocol !== protocol)
      throw new SignOnError('setup', `an address in its description is not ${protocol}//`)
  const { keys = [] } = keysSchema.safeParse(await readJson(transport, jwks_uri)).data ?? {}
  const algorithm = chooseAlgorithm(metadata.id_token_signing_alg_values_supported, keys)
  if (algorithm === undefined) throw new SignOnError('setup', 'it publishes no public key for an algorithm it names')
  const agent = createAgent(protocol)
  return { ...metadata, algorithm, keys: createRemoteJWKSet(new URL(jwks_uri), { agent, timeoutDuration: TIMEOUT_MS }) }
}

const keySchema = z.object({ kty: z.string(), use: z.string().optional(), alg: z.string().optional() })
const keysSchema = z.object({ keys: z.array(keySchema) })

/** The type of public keys (RFC 7518, 6.1) for algorithms that begin so. Shared secrets and `none` have none. */
const KEY_TYPES: Readonly<Record<string, string>> = { RS: 'RSA', PS: 'RSA', ES: 'EC', Ed: 'OKP' }

/** next-auth needs the algorithm in advance: RS256, OpenID Connect's default, or else the first that has a key. */
function chooseAlgorithm(advertised: string[], keys: z.infer<typeof keySchema>[]): string | undefined {
  return ['RS256', ...advertised].find((algorithm) => {
    const keyType = KEY_TYPES[algorithm.slice(0, 2)]
    const isKey = ({ kty, use, alg = algorithm }: (typeof keys)[number]) =>
      kty === keyType && use !== 'enc' && alg === algorithm
    return advertised.includes(algorithm) && keys.some(isKey)
  })
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
