import 'server-only'
import { eq, isNotNull, max } from 'drizzle-orm'
import { type NewUser, newUserSchema } from '@/lib/contract/user'
import { consoleViewer } from '@/server/access/viewer'
import { secondFactors } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import { createUser } from '@/server/access/administration'
import type { StoredUser, Users } from '@/server/access/users'
import { type AdminCommand, argumentsOf, inColumns, UsageError, withServices } from './command'

export const usersCommand: AdminCommand = {
  usage: 'users [--json]',
  says: 'lists everybody: role, schools, state, last sign-in, second factor',
  run: async (args) => {
    const { values } = argumentsOf(args, 0, { json: { type: 'boolean' } })
    return withServices(async ({ connect, users }) => {
      const people = await described(connect, users)
      if (values.json === true) return JSON.stringify(people, null, 2)
      if (people.length === 0) return 'There is nobody yet: add-admin EMAIL makes the first administrator.'
      const rows = people.map(({ email, name, role, schools, state, lastSignIn, secondFactor }) => [
        email,
        name,
        role,
        schools === 'all' ? 'all' : String(schools.length),
        state,
        lastSignIn?.slice(0, 16).replace('T', ' ') ?? 'never',
        secondFactor ? 'yes' : 'no',
      ])
      return inColumns([['email', 'name', 'role', 'schools', 'state', 'last sign-in (UTC)', 'second factor'], ...rows])
    })
  },
}

async function described(connect: Connect, users: Pick<Users, 'list'>) {
  const db = await connect()
  const signIns = await db
    .select({ user: activity.userId, at: max(activity.at) })
    .from(activity)
    .where(eq(activity.action, 'sign-in'))
    .groupBy(activity.userId)
  const confirmed = await db
    .select({ user: secondFactors.userId })
    .from(secondFactors)
    .where(isNotNull(secondFactors.confirmedAt))
  const lastOf = new Map(signIns.map(({ user, at }) => [user, at]))
  const withFactor = new Set(confirmed.map(({ user }) => user))
  return (await users.list()).map((user) => ({
    email: user.email,
    name: user.name,
    role: user.role,
    schools: user.schools,
    state: stateOf(user),
    lastSignIn: lastOf.get(user.id)?.toISOString() ?? null,
    secondFactor: withFactor.has(user.id),
  }))
}

function stateOf({ disabled, activatedAt }: StoredUser): 'disabled' | 'invited' | 'active' {
  if (disabled) return 'disabled'
  return activatedAt === null ? 'invited' : 'active'
}

export const addAdmin: AdminCommand = {
  usage: 'add-admin EMAIL [--name NAME]',
  says: 'adds an administrator, as the first one, and prints the link with which they choose a password',
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { name: { type: 'string' } })
    const [email = ''] = named
    return add({ email, name: values.name?.trim() || email, role: 'admin', schools: 'all' })
  },
}

const WRONG: Readonly<Record<string, string>> = {
  email: 'EMAIL must be an e-mail address.',
  name: '--name must have 1 to 100 letters.',
}

/** `UsageError` for what no user can have. */
export function personFrom(given: unknown): NewUser {
  const checked = newUserSchema.safeParse(given)
  const wrong = checked.error?.issues.map(({ path }) => WRONG[String(path[0])] ?? '') ?? []
  if (!checked.success) throw new UsageError([...new Set(wrong)].join('\n'))
  return checked.data
}

async function add(given: unknown): Promise<string> {
  const person = personFrom(given)
  return withServices(async (parts) => {
    const known = await parts.users.findByEmail(person.email)
    if (known) throw new Error(`${known.email} is there already (${known.role}): reset-link makes another link.`)
    return (await createUser(parts, consoleViewer(), person)).inviteUrl
  })
}
