import { z } from 'zod'
import { LOCALES } from '@/lib/i18n/locale'
import { endpoint, idsSchema, momentSchema, namedRefSchema } from './endpoint'
import { ROLES } from './limits'
import { linkMailSchema } from './service-report'

export const roleSchema = z.enum(ROLES)
export type Role = z.infer<typeof roleSchema>

const schoolScopeSchema = z.union([z.literal('all'), idsSchema])
export type SchoolScope = z.infer<typeof schoolScopeSchema>

/** The password is taken as typed. A refusal has a `PasswordFault` as its reason. */
const passwordSchema = z.string().min(1).max(2_000)

const userSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  schools: schoolScopeSchema,
  disabled: z.boolean(),
  /** The user is invited, and has neither a password nor single sign-on yet. */
  pending: z.boolean(),
  /** The user may use a password although passwords are switched off. */
  breakGlass: z.boolean(),
  createdAt: momentSchema,
  /** Tells, with single sign-on, whether the user is bound to an account there, and what each sign-in sets. */
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

const mailQuerySchema = z.strictObject({ mail: z.enum(LOCALES).optional() })
export type LinkMailOptions = z.infer<typeof mailQuerySchema>

/** `inviteUrl` has a token after `#`, or is the sign-in page if there is no password to set. */
const linkSchema = z.strictObject({ inviteUrl: z.string(), mail: linkMailSchema.exactOptional() })

const userChangeSchema = z.strictObject({
  role: roleSchema.exactOptional(),
  schools: schoolScopeSchema.exactOptional(),
  disabled: z.boolean().exactOptional(),
  /** Unlinks the account at the provider until the next sign-in there. */
  bound: z.literal(false).exactOptional(),
})
export type UserChange = z.infer<typeof userChangeSchema>

export type Colleague = z.infer<typeof namedRefSchema>

export const userEndpoints = {
  'GET /api/users': endpoint('admin', 'All users.', { answer: z.strictObject({ users: z.array(userSchema) }) }),
  'POST /api/users': endpoint('admin', 'Invites a user by `inviteUrl`, mailed, too, in the language of `mail`.', {
    proof: true,
    query: mailQuerySchema,
    body: newUserSchema,
    answer: linkSchema.extend({ id: z.string() }),
    errors: { 409: 'e-mail is taken' },
  }),
  'PATCH /api/users/[id]': endpoint(
    'admin',
    'Changes role or schools, disables or unlinks from the provider, from the next request on.',
    {
      proof: true,
      body: userChangeSchema,
      answer: userSchema,
      errors: { 409: 'the last administrator, or the provider decides it' },
    },
  ),
  'POST /api/users/[id]/invitation': endpoint(
    'admin',
    'A new link to set a password, mailed if `mail` says so; the old one ends.',
    { proof: true, query: mailQuerySchema, answer: linkSchema, errors: { 409: 'disabled, or signs in otherwise' } },
  ),
  'GET /api/people': endpoint('leads:triage', 'Possible assignees, of a school or all in scope.', {
    query: z.strictObject({ school: z.string().min(1).max(500).optional() }),
    answer: z.strictObject({ people: z.array(namedRefSchema) }),
  }),
  'POST /api/invitations': endpoint('anyone', 'Sets a password by a link’s token.', {
    body: z.strictObject({ token: z.string().min(1).max(200), password: passwordSchema }),
    errors: { 404: 'invalid or expired', 409: 'the user signs in at the provider' },
  }),
  'POST /api/account/password': endpoint('signed-in', 'Changes the own password; other sessions end.', {
    enrolling: true,
    body: z.strictObject({ current: passwordSchema, password: passwordSchema }),
    errors: {
      400: 'too weak (see `reason`)',
      403: 'the current one is wrong (`reason` is `wrong`)',
      409: 'the account has no password here',
    },
  }),
}
