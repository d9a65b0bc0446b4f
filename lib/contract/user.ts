import { z } from 'zod'

const roleSchema = z.enum(['staff', 'manager', 'admin'])
export type Role = z.infer<typeof roleSchema>

/** The schools a person may see: all that the token sees, or these ids. */
const schoolScopeSchema = z.union([z.literal('all'), z.array(z.string().min(1).max(500)).max(1000)])
export type SchoolScope = z.infer<typeof schoolScopeSchema>

const passwordSchema = z.string().min(8).max(200)

export type User = {
  id: string
  email: string
  name: string
  role: Role
  schools: SchoolScope
  disabled: boolean
  /** Invited, but has neither set a password nor signed in by single sign-on. */
  pending: boolean
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
  password: passwordSchema.optional(),
})
export type NewUser = z.infer<typeof newUserSchema>

/** `inviteUrl` is there when no password was given: the person sets one there. */
export type NewUserAnswer = { id: string; inviteUrl?: string }

/** `PATCH /api/users/:id`, administrators. */
export const userChangeSchema = z.strictObject({
  role: roleSchema.optional(),
  schools: schoolScopeSchema.optional(),
  disabled: z.boolean().optional(),
})
export type UserChange = z.infer<typeof userChangeSchema>

/** `POST /api/invitations`: somebody who was invited sets a password. */
export const invitationAnswerSchema = z.strictObject({ token: z.string().min(1).max(200), password: passwordSchema })

/** `GET /api/people`: who can be assigned leads, for everyone who may triage; nobody's e-mail or role. */
export type PeopleAnswer = { people: { id: string; name: string }[] }
