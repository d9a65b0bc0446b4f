import 'server-only'
import { beforeEach, describe, expect, test } from 'vitest'
import { identities as identitiesTable } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { createIdentities } from './provider-sign-in'
import { storedUser } from './testing/stored-user'

const NOW = Date.UTC(2027, 0, 20, 8)
const eva = storedUser('eva')
const issuer = 'https://id.test'

export function identitiesSuite(db: Connect): void {
  const identities = createIdentities({ connect: db, now: () => NOW })
  const within = async <T>(work: (tx: Db) => Promise<T>) => (await db()).transaction(work)
  const bind = (userId: string, subject: string, by = issuer) =>
    within((tx) => identities.bind(tx, userId, { issuer: by, subject }))
  const whose = (subject: string, by = issuer) => within((tx) => identities.find(tx, { issuer: by, subject }))

  describe('an identity', () => {
    beforeEach(async () => {
      const people = [eva, storedUser('nils')]
      await (await db()).insert(users).values(people).onConflictDoNothing()
      await (await db()).delete(identitiesTable)
    })

    test('belongs to one user for ever', async () => {
      expect(await whose('s1')).toBeNull()
      expect(await bind('eva', 's1')).toBe('eva')
      expect(await bind('nils', 's1')).toBe('eva')
      expect([await whose('s1'), await whose('S1'), await whose('s1', `${issuer}/`)]).toEqual(['eva', null, null])
    })

    test('is bound once by concurrent requests, and all get its owner', async () => {
      const owners = await Promise.all(['eva', 'nils', 'eva', 'nils'].map((userId) => bind(userId, 's1')))
      expect(new Set(owners).size).toBe(1)
      expect(await whose('s1')).toBe(owners[0])
    })

    test('of another subject is seen, of another provider is not in the way', async () => {
      await bind('eva', 's1')
      const isOtherwise = (subject: string, by = issuer) =>
        within((tx) => identities.isBoundOtherwise(tx, 'eva', { issuer: by, subject }))
      expect([await isOtherwise('s1'), await isOtherwise('s2'), await isOtherwise('s2', 'https://other.test')]).toEqual(
        [false, true, false],
      )
    })

    test('is taken off one person, with all others of theirs', async () => {
      await bind('eva', 's1')
      await bind('eva', 's1', 'https://other.test')
      await bind('nils', 's2')
      expect(await identities.boundUsers()).toEqual(new Set(['eva', 'nils']))
      expect(await within((tx) => identities.unbind(tx, 'eva'))).toBe(2)
      expect([await whose('s1'), await whose('s2')]).toEqual([null, 'nils'])
    })
  })
}
