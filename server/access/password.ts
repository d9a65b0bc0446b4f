import 'server-only'
import { hash, verify } from '@node-rs/argon2'
import { createTurns, type Turns } from '@/server/turns'

/** OWASP's argon2id profile of 19 MiB, two passes, one lane; a hash carries its own parameters. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a random password, with the same cost: unknown users take as long to refuse as known ones. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$KMzWQkNdCVAxK+skj0bUrw$BB1+A11DjrPae5MqGtVEqDhTbNCQptkY+3/AEiTiHGU'

/** `NotReadyError` while too many want one at once, as the other one. */
export function hashPassword(password: string): Promise<string> {
  return turn()(() => hash(password, COST))
}

/** Null stands for a user who is unknown or has no password. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await turn()(() => verify(passwordHash ?? NOBODY, password))
  return passwordHash !== null && matches
}

const KEY = Symbol.for('intag.password-turns')

/** Each takes a processor for some hundredths of a second: more at once, and everything else waits. One queue for the process. */
function turn(): Turns {
  const known = (globalThis as { [KEY]?: Turns })[KEY]
  if (known) return known
  const made = createTurns({ atOnce: 2, waiting: 16, retryAfterSeconds: 2 })
  Reflect.set(globalThis, KEY, made)
  return made
}
