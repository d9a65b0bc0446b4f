import type { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { AddedFactorAnswer, PasskeyAssertion, PasskeyRegistration } from '@/lib/contract/second-factor'
import { api } from './call'

/** Has the person's devices sign that it is they; null when they, or their devices, did not. */
export async function askPasskey(): Promise<PasskeyAssertion | null> {
  const [options, browser] = await Promise.all([api('POST /api/passkey-options'), import('@simplewebauthn/browser')])
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const signed = await browser.startAuthentication({ optionsJSON }).catch(() => null)
  if (signed === null) return null
  const { id, rawId, type, response } = signed
  return { id, rawId, type, response, clientExtensionResults: {} }
}

/** Has the browser make a passkey and adds it; null when the person, or the device, did not want to. */
export async function addPasskey(name: string): Promise<AddedFactorAnswer | null> {
  const [options, browser] = await Promise.all([
    api('POST /api/account/second-factors/passkeys/options'),
    import('@simplewebauthn/browser'),
  ])
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = (await browser.startRegistration({ optionsJSON }).catch(() => null)) as PasskeyRegistration | null
  return response && api('POST /api/account/second-factors/passkeys', { body: { name, response } })
}
