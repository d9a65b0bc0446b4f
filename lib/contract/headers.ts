/** Which of several refusals it is; also `reason` in the body. */
export const REASON_HEADER = 'intag-reason'
/** Reasons why nothing was saved, shown by every screen. */
export const DATABASE_AWAY = 'database-away'
export const OTHER_ADDRESS = 'other-address'

/** On a request without user activity: it does not extend the session. */
export const AUTOMATIC_HEADER = 'intag-automatic'

/** A reason that begins so asks for a fresh proof of identity, in the way that follows. */
export const PROOF_BY = 'proof-by-'
export type ProofWay = 'password' | 'code' | 'provider'

/** `POST /api/auth/signin/oidc?prompt=proof` re-authenticates at the provider and returns to the page, which tells the tab that asked. */
export const PROOF_CHANNEL = 'intag:proof'
export const PROOF_PROMPT = 'proof'
export const PROOF_PAGE = '/proof'
