import { z } from 'zod'

const roleSchema = z.enum(['staff', 'manager', 'admin'])
export type Role = z.infer<typeof roleSchema>

/** The schools a person may see: all that the token sees, or these ids. */
const schoolScopeSchema = z.union([z.literal('all'), z.array(z.string().min(1).max(500)).max(1000)])
export type SchoolScope = z.infer<typeof schoolScopeSchema>

/** As somebody typed it; why it is refused is answered with a reason (`lib/contract/password.ts`). */
const givenPasswordSchema = z.string().min(1).max(2_000)

export type User = {
  id: string
  email: string
  name: string
  role: Role
  schools: SchoolScope
  disabled: boolean
  /** Invited, but has neither set a password nor signed in by single sign-on. */
  pending: boolean
  /** Administrators whom the command line lets in by password although that is switched off. */
  breakGlass: boolean
  createdAt: string
  /** Only where they come by single sign-on: bound to a person there, and what that provider gives them at each sign-in. */
  singleSignOn?: { bound: boolean; role: boolean; schools: boolean }
}

/** `POST /api/users`, administrators, answers `NewUserAnswer`; `GET` answers `{users}`. */
export const newUserSchema = z.strictObject({
  email: z.email().max(200),
  name: z.string().trim().min(1).max(100),
  role: roleSchema,
  schools: schoolScopeSchema,
})
export type NewUser = z.infer<typeof newUserSchema>

/**
 * Where the person sets a password, which nobody else ever knows: the token stands behind the `#`. Where everybody signs in
 * with the organisation's account there is nothing to set, and it is the sign-in page.
 */
export type NewUserAnswer = { id: string; inviteUrl: string }

/** `POST /api/users/:id/invitation`, administrators: a link for a first password, or for a new one. */
export type InvitationAnswer = { inviteUrl: string }

/** `PATCH /api/users/:id`, administrators. */
export const userChangeSchema = z.strictObject({
  role: roleSchema.optional(),
  schools: schoolScopeSchema.optional(),
  disabled: z.boolean().optional(),
})
export type UserChange = z.infer<typeof userChangeSchema>

/** `POST /api/invitations`: somebody who was given a link sets a password. */
export const invitationAnswerSchema = z.strictObject({
  token: z.string().min(1).max(200),
  password: givenPasswordSchema,
})

/** `POST /api/account/password`: a new one for oneself; all other sessions end. A wrong `current` is 403 with `wrong`. */
export const passwordChangeSchema = z.strictObject({ current: givenPasswordSchema, password: givenPasswordSchema })
export type PasswordChange = z.infer<typeof passwordChangeSchema>

/** `GET /api/people?school=`: who can be assigned leads, of that school, for everyone who may triage; nobody's e-mail or role. */
export const peopleQuerySchema = z.strictObject({ school: z.string().min(1).max(500).optional() })
/** `awayUntil`: on leave, and back on that day. */
export type Colleague = { id: string; name: string; awayUntil?: string }
export type PeopleAnswer = { people: Colleague[] }
