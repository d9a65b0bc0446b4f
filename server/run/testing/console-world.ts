import { afterAll } from 'vitest'
import { createActivity } from '@/server/access/activity'
import type { Connect } from '@/server/base/database'
import { createSeal, type DataKeys } from '@/server/base/seal'
import { runAdmin } from '../run'

const KEY = Symbol.for('intag.services')

type Given = { env?: object; dataKeys?: DataKeys } & Record<string, unknown>

export function consoleWorld() {
  afterAll(() => Reflect.deleteProperty(globalThis, KEY))
  return {
    run: (...args: string[]) => runAdmin(args, 'intag admin'),
    be(connect: Connect, { env, dataKeys = { current: new Uint8Array(32), previous: null }, ...more }: Given = {}) {
      const parts = {
        feed: {},
        env: { mode: 'connected' as const, databaseUrl: null, ...env },
        now: Date.now,
        connect,
        dataKeys,
        seal: createSeal(dataKeys),
        activity: createActivity({ connect, now: Date.now }),
        database: { close: async () => {} },
        redis: null,
        lifecycle: { isComing: () => true },
        ...more,
      }
      Reflect.set(globalThis, KEY, parts)
      return parts
    },
  }
}
