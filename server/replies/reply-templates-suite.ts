import { describe, expect, test } from 'vitest'
import type { Connect } from '@/server/base/database'
import { replyTemplates } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { ensureFirstTemplates } from './reply-templates'

/** Tests how the first templates are created, on any database. */
export function templatesSuite(connect: Connect) {
  describe('the first templates', () => {
    test('are made once, also by instances that start together, and do not come back when they are deleted', async () => {
      const start = () => ensureFirstTemplates(testServices({ connect, now: Date.now }))
      await Promise.all([start(), start(), start()])
      const db = await connect()
      const created = await db.select().from(replyTemplates)
      expect(created.map(({ language }) => language).sort()).toEqual(['en', 'en', 'en', 'sv', 'sv', 'sv'])
      expect(created.every(({ body }) => body.includes('{firstName}') && body.includes('{school}'))).toBe(true)
      await db.delete(replyTemplates)
      await start()
      expect(await db.$count(replyTemplates)).toBe(0)
    })
  })
}
