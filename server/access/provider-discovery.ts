import { createRemoteJWKSet } from 'jose'
import { z } from 'zod'
import { MINUTE_MS } from '@/lib/time/durations'
import { readErrorCode } from '@/server/base/error-codes'
import { SignOnError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createAgent, type Transport } from '@/server/base/transport'

export type ProviderMetadata = Awaited<ReturnType<typeof readMetadata>>

type DiscoveryOptions = { issuer: string; transport: Transport; now: () => number }

/** next-auth accepts only this algorithm, which every provider must support (OpenID Connect Discovery 1.0, 3). */
export const ID_TOKEN_ALGORITHM = 'RS256'
const TIMEOUT_MS = 5_000
const METADATA_TTL_MS = 10 * MINUTE_MS

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
    /** Returns why the provider cannot be used, or null if it can. */
    explainProblem: () =>
      getMetadata().then(
        () => null,
        (error: Error) => error.message,
      ),
    /** Until the metadata has been read, the provider is assumed to send `auth_time`, so that no proof is skipped. */
    sendsAuthTime: () => lastMetadata?.claims_supported.includes('auth_time') ?? true,
  }
}

const algorithmsSchema = z
  .array(z.string())
  .refine((names) => names.includes(ID_TOKEN_ALGORITHM), `lacks ${ID_TOKEN_ALGORITHM}`)
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  id_token_signing_alg_values_supported: algorithmsSchema,
  claims_supported: z.array(z.string()).default([]),
  scopes_supported: z.array(z.string()).default([]),
})

/** Follows OpenID Connect Discovery 1.0, section 4. Unlike next-auth, this accepts only the configured issuer. */
async function readMetadata(transport: Transport, issuer: string) {
  const parsed = metadataSchema.safeParse(await readJson(transport, `${issuer}/.well-known/openid-configuration`))
  if (!parsed.success) throw new SignOnError('setup', `its description: ${z.prettifyError(parsed.error)}`)
  const metadata = parsed.data
  // The setting and the provider often differ in a trailing slash. Tokens are checked against the provider's spelling.
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new SignOnError('setup', `OIDC_ISSUER is not what the provider calls itself: ${metadata.issuer}`)
  const keysUrl = new URL(metadata.jwks_uri)
  const keys = createRemoteJWKSet(keysUrl, { agent: createAgent(keysUrl.protocol), timeoutDuration: TIMEOUT_MS })
  return { ...metadata, keys }
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
