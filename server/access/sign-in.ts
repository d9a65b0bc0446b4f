import 'server-only'
import type { Activity } from '@/server/activity/activity'
import type { StoredUser, Users } from '@/server/users/users'
import { verifyPassword } from './password'
import type { Throttle } from './throttle'

export type SignInResult =
  | { ok: true; user: StoredUser }
  | { ok: false; reason: 'refused' }
  | { ok: false; reason: 'too-many-attempts'; retryAfterSeconds: number }
export type SignIn = ReturnType<typeof createSignIn>

type Parts = {
  users: Users
  throttle: Throttle
  activity: Activity
  now: () => number
  /** Whether role or schools come from the provider of single sign-on, for whoever comes by it. */
  providerDecides?: boolean
}
type Credentials = { email: string; password: string; address: string }

/** The way in without a provider. Every outcome but a throttled try is in the activity log, by id. */
export function createSignIn(parts: Parts) {
  return {
    withPassword: (credentials: Credentials) => withPassword(parts, credentials),
  }
}

/** The answer, and the time it takes, do not tell an unknown e-mail from a wrong password. */
async function withPassword(parts: Parts, { email, password, address }: Credentials): Promise<SignInResult> {
  const { users, throttle, activity, now } = parts
  const keys = [
    { kind: 'account', value: email },
    { kind: 'address', value: address },
  ] as const
  const locked = await throttle.begin(...keys)
  if (locked) {
    const retryAfterSeconds = Math.ceil((locked.lockedUntil - now()) / 1000)
    return { ok: false, reason: 'too-many-attempts', retryAfterSeconds }
  }
  const user = await users.findByEmail(email)
  const matches = await verifyPassword(user?.passwordHash ?? null, password)
  if (!matches || !user || user.disabled || isOnlyProviders(parts, user)) {
    await activity.record({ userId: user?.id ?? null, action: 'sign-in-failed', details: { with: 'password' } })
    return { ok: false, reason: 'refused' }
  }
  await throttle.succeeded(...keys)
  await activity.record({ userId: user.id, action: 'sign-in', details: { with: 'password' } })
  return { ok: true, user }
}

/** Whom the provider manages comes by the provider alone: by a password they would stay what they were when it takes that away. */
function isOnlyProviders({ providerDecides = false }: Parts, { managed, breakGlass }: StoredUser): boolean {
  return providerDecides && managed && !breakGlass
}
