import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/base/database'
import { SettingsError } from '@/server/base/env'
import { settings } from '@/server/base/schema'
import { createSeal, type DataKeys } from '@/server/base/seal'
import { testServices } from '@/server/testing/services'
import { claimDatabase } from './database-identity'

const createKey = (filled: number) => new Uint8Array(32).fill(filled)
const [OLD, NEW, OTHER] = [createKey(1), createKey(2), createKey(3)]

export function dataKeySuite(connect: Connect) {
  describe('the mode and the key of a database', () => {
    const open = (mode: 'demo' | 'connected', dataKeys: DataKeys) => {
      const parts = { connect, env: { mode, databaseUrl: null }, seal: createSeal(dataKeys), now: () => 0 }
      return claimDatabase(testServices(parts))
    }
    const start = (...dataKeys: DataKeys) => open('connected', dataKeys)
    const startAs = (mode: 'demo' | 'connected') => open(mode, [OLD])
    beforeEach(async () => {
      await (await connect()).delete(settings)
    })

    test.each([
      ['connected', 'demo', /DATA_DIR holds the data of a real service.*set LEADS_API_URL/],
      ['demo', 'connected', /DATA_DIR holds the data of a demo.*set another DATA_DIR/],
    ] as const)(
      'its mode stays %s from the first start on; %s is refused with what to set',
      async (first, other, says) => {
        await startAs(first)
        await startAs(first)
        await expect(startAs(other)).rejects.toThrow(says)
      },
    )

    test('its key is that of the first start, and may change while the key of before is named', async () => {
      await start(OLD)
      await expect(start(NEW)).rejects.toThrow(/DATA_KEY is not the key.*the key of before behind a comma/)
      await expect(start(NEW, OTHER)).rejects.toThrow(SettingsError)
      await start(OLD, NEW)
      await start(NEW, OLD)
      await expect(start(NEW)).rejects.toThrow(SettingsError)
    })

    test.each([
      ['key', () => start(OLD), () => start(NEW)],
      ['mode', () => startAs('demo'), () => startAs('connected')],
    ] as const)('of several that are first at once, one %s wins', async (_, one, other) => {
      const outcomes = await Promise.allSettled([one(), other(), one()])
      const isAccepted = outcomes.map(({ status }) => status === 'fulfilled')
      expect([isAccepted[0], isAccepted[2]]).toEqual([!isAccepted[1], !isAccepted[1]])
    })
  })
}
