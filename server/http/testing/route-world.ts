import 'server-only'
import { afterAll } from 'vitest'
import { encodeSessionCookie } from '@/server/access/session-cookie'
import type { Env } from '@/server/base/env'
import { createLogger } from '@/server/base/logger'

const KEY = Symbol.for('intag.services')

export const SARA = { id: 'u1', name: 'Sara', email: 's@x.test', role: 'staff' as const, schools: ['norra'] }

export function routeWorld<Parts extends object>(parts: Parts) {
  const env: Pick<Env, 'auth' | 'mode'> = {
    mode: 'connected',
    auth: { url: 'https://intag.test', secret: 's'.repeat(32) },
  }
  const world = {
    env,
    feed: {},
    lifecycle: { isStarting: () => false },
    logger: createLogger({ logLevel: 'silent' }),
    now: Date.now,
    logRefusal: () => {},
    sessions: { recordUse: () => {} },
    ...parts,
  }
  Reflect.set(globalThis, KEY, world)
  afterAll(() => Reflect.deleteProperty(globalThis, KEY))
  const cookie = async () => (await encodeSessionCookie({ userId: SARA.id, id: 's1' }, env)).split(';', 1)[0] ?? ''
  return { ...world, cookie }
}
