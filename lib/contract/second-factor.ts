import { z } from 'zod'
import type { Role } from './user'

export type SecondFactor = {
  id: string
  type: 'totp' | 'passkey'
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** `GET /api/account/second-factors`: one's own. */
export type SecondFactorsAnswer = { factors: SecondFactor[]; recoveryCodesLeft: number }

/** `GET /api/users/:id/second-factors`, administrators; `DELETE` takes them away and answers how many those were. */
export type FactorCountAnswer = { count: number }

const text = z.string().min(1).max(4_000)
const nameSchema = z.string().trim().min(1).max(60)

/** What a browser answers for a passkey (Web Authentication, level 3, `AuthenticationResponseJSON`). */
export const passkeyAssertionSchema = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.exactOptional(),
  }),
  clientExtensionResults: z.object({}),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>

/** Likewise of a new one (`RegistrationResponseJSON`), as far as it is read. */
const passkeyRegistrationSchema = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    attestationObject: z.string().min(1).max(16_000),
    transports: z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).exactOptional(),
  }),
  clientExtensionResults: z.object({}),
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>

/** `POST /api/account/second-factors/totp`: begins one; it counts once a code of it was right. */
export const newTotpSchema = z.strictObject({ name: nameSchema })
/** `uri` is what a telephone reads as a picture, `secret` what one types where it cannot. */
export type NewTotpAnswer = { id: string; secret: string; uri: string }

/** `POST /api/account/second-factors/totp/confirm`, answered with `AddedFactorAnswer`. */
export const confirmTotpSchema = z.strictObject({ id: z.string().min(1).max(100), code: z.string().min(6).max(20) })

/** `POST /api/account/second-factors/passkeys`, after the options from `…/passkeys/options`. */
export const newPasskeySchema = z.strictObject({ name: nameSchema, response: passkeyRegistrationSchema })

/** Ten codes with the first factor, shown now and never again. */
export type AddedFactorAnswer = { recoveryCodes: string[] | null }
/** `POST /api/account/recovery-codes`: ten new ones; those before are worth nothing. */
export type RecoveryCodesAnswer = { recoveryCodes: string[] }

/** `POST /api/account/proof`: that it is still they. A code where they have a second factor, else the password. */
export const proofSchema = z.union([
  z.strictObject({ code: z.string().min(1).max(40) }),
  z.strictObject({ password: z.string().min(1).max(2_000) }),
  z.strictObject({ assertion: passkeyAssertionSchema }),
])
export type GivenProof = z.infer<typeof proofSchema>

/** `GET /api/account/proof`: what one is asked for. */
export type ProofWaysAnswer = { ways: ('password' | 'code' | 'passkey' | 'provider')[] }

/** `GET` and `PUT /api/sign-in-rules`, administrators. */
export const signInRulesSchema = z.strictObject({
  /** Roles whose local accounts need a second factor. */
  secondFactorFor: z.array(z.enum(['staff', 'manager', 'admin'])).max(3),
  /** Exports of more leads than this ask anew who it is. */
  proofAboveLeads: z.int().min(0).max(1_000_000),
})
export type SignInRules = { secondFactorFor: Role[]; proofAboveLeads: number }
export const defaultSignInRules: SignInRules = { secondFactorFor: [], proofAboveLeads: 1_000 }
