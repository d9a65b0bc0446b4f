import { z } from 'zod'
import { byId, day, type Declared, moment, named } from './endpoint'

export const roleSchema = z.enum(['staff', 'manager', 'admin'])
export type Role = z.infer<typeof roleSchema>

const schoolScopeSchema = z.union([z.literal('all'), z.array(z.string().min(1).max(500)).max(1000)])
export type SchoolScope = z.infer<typeof schoolScopeSchema>

/** As typed; the reason of a refusal is a `PasswordFault`. */
const givenPasswordSchema = z.string().min(1).max(2_000)

const userSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  schools: schoolScopeSchema,
  disabled: z.boolean(),
  /** Invited: no password and no single sign-on yet. */
  pending: z.boolean(),
  /** May use a password although passwords are switched off. */
  breakGlass: z.boolean(),
  createdAt: moment,
  /** With single sign-on: bound to an account there, and what it sets at each sign-in. */
  singleSignOn: z.strictObject({ bound: z.boolean(), role: z.boolean(), schools: z.boolean() }).exactOptional(),
})
export type User = z.infer<typeof userSchema>

export const newUserSchema = z.strictObject({
  email: z.email().max(200),
  name: z.string().trim().min(1).max(100),
  role: roleSchema,
  schools: schoolScopeSchema,
})
export type NewUser = z.infer<typeof newUserSchema>

/** With the token behind the `#`; the sign-in page where there is no password to set. */
const newUserAnswerSchema = z.strictObject({ id: z.string(), inviteUrl: z.string() })
export type NewUserAnswer = z.infer<typeof newUserAnswerSchema>

const userChangeSchema = z.strictObject({
  role: roleSchema.optional(),
  schools: schoolScopeSchema.optional(),
  disabled: z.boolean().optional(),
})
export type UserChange = z.infer<typeof userChangeSchema>

const newPassword = z.strictObject({ current: givenPasswordSchema, password: givenPasswordSchema })
export type PasswordChange = z.infer<typeof newPassword>

/** `awayUntil`: on leave until that day. */
const colleagueSchema = named.extend({ awayUntil: day.exactOptional() })
export type Colleague = z.infer<typeof colleagueSchema>
export const userEndpoints = {
  'GET /api/users': {
    what: 'Everybody who may sign in.',
    who: 'admin',
    answer: z.strictObject({ users: z.array(userSchema) }),
  },
  'POST /api/users': {
    what: 'Invites a person; they set a password where `inviteUrl` leads.',
    who: 'admin',
    proof: true,
    body: newUserSchema,
    answer: newUserAnswerSchema,
    errors: { 409: 'the e-mail is taken' },
  },
  'PATCH /api/users/[id]': {
    what: 'Changes the role or the schools of a person, or disables them; holds from their next request on.',
    who: 'admin',
    proof: true,
    params: byId,
    body: userChangeSchema,
    answer: userSchema,
    errors: { 409: 'no administrator would be left, or the provider of single sign-on gives it' },
  },
  'POST /api/users/[id]/invitation': {
    what: 'A link for a first password, or for a new one; the one before no longer holds.',
    who: 'admin',
    proof: true,
    params: byId,
    answer: newUserAnswerSchema.pick({ inviteUrl: true }),
    errors: { 409: 'the person is disabled, or signs in otherwise' },
  },
  'DELETE /api/users/[id]/identities': {
    what: 'Forgets whom the provider of single sign-on means, until the person signs in there again.',
    who: 'admin',
    proof: true,
    params: byId,
    answer: z.strictObject({ removed: z.int() }),
    errors: { 404: 'the provider knows nobody by this id' },
  },
  'GET /api/people': {
    what: 'Who can be assigned leads of a school, or of any of the caller’s; nobody’s e-mail or role.',
    who: 'leads:triage',
    query: z.strictObject({ school: z.string().min(1).max(500).optional() }),
    answer: z.strictObject({ people: z.array(colleagueSchema) }),
  },
  'POST /api/invitations': {
    what: 'Sets a password by the token of a link, which is all that is asked for.',
    who: 'anyone',
    body: z.strictObject({ token: z.string().min(1).max(200), password: givenPasswordSchema }),
    errors: { 404: 'the link does not hold, or no longer', 409: 'the person signs in with the organisation’s account' },
  },
  'POST /api/account/password': {
    what: 'A new password for oneself; all other sessions end.',
    who: 'signed-in',
    enrolling: true,
    body: newPassword,
    errors: {
      400: 'the new one is too weak; `reason` says why',
      403: 'the current one is wrong (`reason` is `wrong`)',
      409: 'the account has no password of its own here',
    },
  },
} satisfies Declared
