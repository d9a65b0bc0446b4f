import type { startRegistration as StartRegistration } from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import type { PasswordChange } from '@/lib/contract/user'
import type {
  AddedFactorAnswer,
  FactorCountAnswer,
  GivenProof,
  NewTotpAnswer,
  ProofWaysAnswer,
  RecoveryCodesAnswer,
  SecondFactorsAnswer,
} from '@/lib/contract/second-factor'
import { nothing, request } from './send'
import { shape } from './shape'

const FACTORS = '/api/account/second-factors'
/** The codes, or null: an object either way. */
const added = shape<AddedFactorAnswer>({ recoveryCodes: 'object' })

/** What one proves who one is with besides the password. */
export const ownFactors = queryOptions({
  queryKey: ['account', 'second-factors'],
  queryFn: ({ signal }) =>
    request(FACTORS, { read: shape<SecondFactorsAnswer>({ factors: 'array', recoveryCodesLeft: 'number' }), signal }),
})

export function changePassword(change: PasswordChange): Promise<void> {
  return request('/api/account/password', { method: 'POST', body: change, read: nothing })
}

export function beginTotp(name: string): Promise<NewTotpAnswer> {
  const read = shape<NewTotpAnswer>({ id: 'string', secret: 'string', uri: 'string' })
  return request(`${FACTORS}/totp`, { method: 'POST', body: { name }, read })
}

export function confirmTotp(id: string, code: string): Promise<AddedFactorAnswer> {
  return request(`${FACTORS}/totp/confirm`, { method: 'POST', body: { id, code }, read: added })
}

/** Has the browser make a passkey and adds it; null when the person, or the device, did not want to. */
export async function addPasskey(name: string): Promise<AddedFactorAnswer | null> {
  const read = shape<PasskeyOptions>({ challenge: 'string', user: 'object' })
  const [options, { startRegistration }] = await Promise.all([
    request(`${FACTORS}/passkeys/options`, { method: 'POST', read }),
    import('@simplewebauthn/browser'),
  ])
  const response = await startRegistration({ optionsJSON: options }).catch(() => null)
  if (response === null) return null
  return request(`${FACTORS}/passkeys`, { method: 'POST', body: { name, response }, read: added })
}

type PasskeyOptions = Parameters<typeof StartRegistration>[0]['optionsJSON']

export function removeFactor(id: string): Promise<void> {
  return request(`${FACTORS}/${encodeURIComponent(id)}`, { method: 'DELETE', read: nothing })
}

/** How many somebody else has; administrators. */
export const factorsOf = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'second-factors'],
    queryFn: ({ signal }) =>
      request(`/api/users/${encodeURIComponent(userId)}/second-factors`, {
        read: shape<FactorCountAnswer>({ count: 'number' }),
        signal,
      }),
  })

/** Takes away every second factor of somebody else; administrators. */
export function removeFactorsOf(userId: string): Promise<void> {
  return request(`/api/users/${encodeURIComponent(userId)}/second-factors`, { method: 'DELETE', read: nothing })
}

export function renewRecoveryCodes(): Promise<RecoveryCodesAnswer> {
  const read = shape<RecoveryCodesAnswer>({ recoveryCodes: 'array' })
  return request('/api/account/recovery-codes', { method: 'POST', read })
}

const PROOF = '/api/account/proof'

/** With what one is to show anew who one is. */
export function readProofWays(): Promise<ProofWaysAnswer> {
  return request(PROOF, { read: shape<ProofWaysAnswer>({ ways: 'array' }) })
}

export function giveProof(proof: GivenProof): Promise<void> {
  return request(PROOF, { method: 'POST', body: proof, read: nothing })
}
