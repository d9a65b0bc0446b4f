import type { startAuthentication as StartAuthentication } from '@simplewebauthn/browser'
import type { PasskeyAssertion } from '@/lib/contract/second-factor'
import { request } from './send'
import { shape } from './shape'

type Options = Parameters<typeof StartAuthentication>[0]['optionsJSON']

/** Has the person's devices sign that it is they; null when they, or their devices, did not. */
export async function askPasskey(): Promise<PasskeyAssertion | null> {
  const read = shape<Options>({ challenge: 'string' })
  const [optionsJSON, { startAuthentication }] = await Promise.all([
    request('/api/passkey-options', { method: 'POST', read }),
    import('@simplewebauthn/browser'),
  ])
  const signed = await startAuthentication({ optionsJSON }).catch(() => null)
  if (signed === null) return null
  const { id, rawId, type, response } = signed
  return { id, rawId, type, response, clientExtensionResults: {} }
}
