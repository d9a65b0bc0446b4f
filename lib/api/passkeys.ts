import type { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { AddedFactorAnswer, PasskeyAssertion, PasskeyRegistration } from '@/lib/contract/account'
import { api } from './call'

export async function askPasskey(): Promise<PasskeyAssertion | null> {
  const [options, browser] = await Promise.all([api('POST /api/passkey-options'), import('@simplewebauthn/browser')])
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const signed = await browser.startAuthentication({ optionsJSON }).catch(() => null)
  if (signed === null) return null
  const { id, rawId, type, response } = signed
  return { id, rawId, type, response, clientExtensionResults: {} }
}

export async function addPasskey(name: string): Promise<AddedFactorAnswer | null> {
  const [options, browser] = await Promise.all([
    api('POST /api/account/second-factors/passkeys/options'),
    import('@simplewebauthn/browser'),
  ])
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = (await browser.startRegistration({ optionsJSON }).catch(() => null)) as PasskeyRegistration | null
  return response && api('POST /api/account/second-factors/passkeys', { body: { name, response } })
}
