/** A word for programs that says which of several refusals it is; the body of the answer has it too, as `reason`. */
export const REASON_HEADER = 'intag-reason'
/** Reasons that are told wherever they come up: nothing was saved, and why not. */
export const DATABASE_AWAY = 'database-away'
export const OTHER_ADDRESS = 'other-address'

/** With any answer: somebody has read so much that they are to say why. */
export const QUESTION_HEADER = 'intag-question'

/** With a request that a page makes by itself, while nobody is there: it keeps no session alive. */
export const AUTOMATIC_HEADER = 'intag-automatic'

/** `POST /api/auth/signin/oidc?prompt=proof`: the provider asks whether it is still they, and the answer ends on the page. */
export const PROOF_PROMPT = 'proof'
export const PROOF_PAGE = '/proof'
