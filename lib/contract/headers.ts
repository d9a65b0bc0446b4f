/** This header tells refusals of the same status apart, as `reason` does in the body. */
export const REASON_HEADER = 'intag-reason'
/** Every screen shows these two reasons why nothing was saved. */
export const DATABASE_AWAY = 'database-away'
export const OTHER_ADDRESS = 'other-address'

/** A request with this header does not extend the session, because the user did not cause it. */
export const AUTOMATIC_HEADER = 'intag-automatic'

/** A reason with this prefix demands a fresh proof of identity, and names the method (`ProofMethod`) after it. */
export const PROOF_REASON_PREFIX = 'proof-by-'
export type ProofMethod = 'password' | 'code' | 'provider'

/** `POST /api/auth/signin/oidc?prompt=proof` re-authenticates at the provider; the next page reports on the channel. */
export const PROOF_CHANNEL = 'intag:proof'
export const PROOF_PROMPT = 'proof'
export const PROOF_PAGE = '/proof'
