import { hash } from '@node-rs/argon2'
import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createKnownDevices } from '@/server/access/known-devices'
import { createPasskeys } from '@/server/access/passkeys'
import { createSecondFactors } from '@/server/access/second-factors'
import { createThrottle } from '@/server/access/throttle'
import { createActivity } from '@/server/activity/activity'
import type { OpenDatabase } from '@/server/db/database'
import { activity, signInAttempts, users } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createSeal } from '@/server/seal'
import { createUsers } from '@/server/users/users'

/** A database and a clock of the tests of a file, to sign in with: emptied and set back before each of them. */
export function signInWorld() {
  let database: OpenDatabase
  let now = 0
  beforeAll(async () => {
    database = await openPgliteInMemory()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    now = Date.UTC(2027, 0, 20, 8)
    for (const table of [activity, signInAttempts, users]) await database.db.delete(table)
  })

  const clock = () => now
  const connect = async () => database.db
  const seal = createSeal(new Uint8Array(32))
  const auth = { url: 'https://intag.test', secret: '' }
  const passkeys = createPasskeys({ connect, now: clock, seal, env: { auth } })
  const devices = createKnownDevices({
    connect,
    now: clock,
    env: { auth: { url: 'http://localhost', secret: 'a secret' } },
  })
  return {
    db: () => database.db,
    clock,
    pass: (ms: number) => void (now += ms),
    connect,
    passkeys,
    devices,
    partsFor: (mode: 'demo' | 'connected') => ({
      users: createUsers({ connect, now: clock, demo: mode === 'demo' }),
      throttle: createThrottle({ connect, now: clock, hashKey: new Uint8Array(32) }),
      env: { passwordSignIn: true, oidc: null, auth },
      passkeys,
      secondFactors: createSecondFactors({ connect, now: clock, seal, passkeys }),
      devices,
      activity: createActivity({ connect, now: clock }),
      now: clock,
    }),
    /** The log, the oldest first: what, whose, and with what. */
    logged: async () => {
      const rows = await database.db.select().from(activity).orderBy(asc(activity.id))
      return rows.map(({ action, userId, details }) => [action, userId, details?.with])
    },
  }
}

/** For tests that try a password hundreds of times: a hash carries what it costs to check. */
export const cheapHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** Tries of a browser that nobody knows, unless it is said otherwise. */
export function attempt(email: string, password: string, more: { address?: string; device?: string } = {}) {
  return { email, password, address: '192.0.2.7', device: null, ...more }
}
