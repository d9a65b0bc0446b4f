import { z } from 'zod'
import { endpoint, momentSchema, namedRefSchema } from './endpoint'
import { roleSchema } from './user'

const sessionSchema = z.strictObject({
  id: z.string(),
  method: z.enum(['password', 'oidc']),
  /** The browser and system, such as "Firefox, Windows", or `?` for a program that gives neither. */
  device: z.string(),
  address: z.string(),
  createdAt: momentSchema,
  lastUsedAt: momentSchema,
  current: z.boolean(),
})

const endedSessionsSchema = z.strictObject({ ended: z.int() })

export const signInRulesSchema = z.strictObject({ secondFactorFor: z.array(roleSchema).max(roleSchema.options.length) })
export type SignInRules = z.infer<typeof signInRulesSchema>
export const defaultSignInRules: SignInRules = { secondFactorFor: [] }

const noPasswordError = { 409: 'the account has no password here' }

export const accountEndpoints = {
  'GET /api/account/sessions': endpoint('signed-in', 'Own sessions, latest used first.', {
    enrolling: true,
    answer: z.strictObject({ sessions: z.array(sessionSchema) }),
  }),
  'DELETE /api/account/sessions': endpoint('signed-in', 'Signs out everywhere else.', {
    enrolling: true,
    answer: endedSessionsSchema,
  }),
  'DELETE /api/account/sessions/[id]': endpoint('signed-in', 'Ends an own session.', { enrolling: true }),
  'DELETE /api/users/[id]/sessions': endpoint('admin', 'Signs a user out everywhere.', {
    proof: true,
    answer: endedSessionsSchema,
  }),
  'GET /api/account/second-factors': endpoint('signed-in', 'Own second factors, in order of addition.', {
    enrolling: true,
    answer: z.strictObject({
      factors: z.array(namedRefSchema.extend({ createdAt: momentSchema })),
      recoveryCodesLeft: z.int(),
    }),
  }),
  'DELETE /api/account/second-factors/[id]': endpoint('signed-in', 'Removes an own second factor.', { proof: true }),
  'POST /api/account/second-factors/totp': endpoint('signed-in', 'Begins an authenticator app.', {
    proof: true,
    enrolling: true,
    body: z.strictObject({ name: z.string().trim().min(1).max(60) }),
    answer: z.strictObject({ id: z.string(), secret: z.string(), uri: z.string() }),
    errors: noPasswordError,
  }),
  'POST /api/account/second-factors/totp/confirm': endpoint('signed-in', 'Adds the app by its code.', {
    proof: true,
    enrolling: true,
    body: z.strictObject({ id: z.string().min(1).max(100), code: z.string().min(6).max(20) }),
    /** Only the first factor comes with codes. They are shown once. */
    answer: z.strictObject({ recoveryCodes: z.array(z.string()).nullable() }),
    errors: noPasswordError,
  }),
  'POST /api/account/recovery-codes': endpoint('signed-in', 'Ten new recovery codes; old ones end.', {
    proof: true,
    answer: z.strictObject({ recoveryCodes: z.array(z.string()) }),
    errors: { 409: 'no second factor' },
  }),
  'POST /api/account/proof': endpoint('signed-in', 'Proves identity for ten minutes of this session.', {
    enrolling: true,
    body: z.union([
      z.strictObject({ code: z.string().min(1).max(40) }),
      z.strictObject({ password: z.string().min(1).max(2_000) }),
    ]),
    errors: { 403: 'wrong (`reason` is `wrong`)', 409: 'the provider proves it' },
  }),
  'DELETE /api/users/[id]/second-factors': endpoint('admin', 'Removes all second factors of a user.', {
    proof: true,
    answer: z.strictObject({ count: z.int() }),
  }),
  'PUT /api/sign-in-rules': endpoint('admin', 'Sets the roles that need a second factor.', {
    proof: true,
    body: signInRulesSchema,
    answer: signInRulesSchema,
  }),
}

const nextAuthParamsSchema = z.object({ nextauth: z.array(z.string()) })

export const authEndpoints = {
  'GET /api/auth/[...nextauth]': endpoint(
    'anyone',
    'next-auth’s `csrf`, `session` (`{expires}` alone), `providers`, single sign-on.',
    { hasOwnHandler: true, params: nextAuthParamsSchema, responseTypes: ['application/json', 'text/html'] },
  ),
  'POST /api/auth/[...nextauth]': endpoint(
    'anyone',
    'next-auth’s sign-in (`callback/credentials` with `csrfToken`, `email`, `password`, `json=true`) and sign-out; the provider’s `backchannel-logout`.',
    {
      hasOwnHandler: true,
      params: nextAuthParamsSchema,
      requestTypes: ['application/x-www-form-urlencoded', 'application/json'],
      responseTypes: ['application/json'],
    },
  ),
}
