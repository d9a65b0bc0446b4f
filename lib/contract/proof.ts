// Apart from `single-sign-on.ts`, whose schemas no browser is sent.

/** `POST /api/auth/signin/oidc?prompt=proof`: the provider asks whether it is still they, and the answer ends on the page. */
export const PROOF_PROMPT = 'proof'
export const PROOF_PAGE = '/proof'
