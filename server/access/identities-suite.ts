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
    within((tx) => identities.bind(tx, by, [subject], userId))
  const whose = (subject: string, by = issuer) => within((tx) => identities.find(tx, by, [subject]))

  describe('an identity', () => {
    beforeEach(async () => {
      const people = [eva, storedUser('nils')]
      await (await db()).insert(users).values(people).onConflictDoNothing()
      await (await db()).delete(identitiesTable)
    })

    test('belongs to one user for ever', async () => {
      expect(await whose('s1')).toBeNull()
      await Promise.all(['eva', 'eva'].map((userId) => bind(userId, 's1')))
      await bind('nils', 's1')
      expect([await whose('s1'), await whose('S1'), await whose('s1', `${issuer}/`)]).toEqual(['eva', null, null])
    })

    test('is found by the first of its names that is known', async () => {
      await bind('eva', 'sub-1')
      expect(await within((tx) => identities.find(tx, issuer, ['oid', 'sub-1']))).toBe('eva')
      await bind('nils', 'oid')
      expect(await within((tx) => identities.find(tx, issuer, ['oid', 'sub-1']))).toBe('nils')
    })

    test('of another provider is not in the way', async () => {
      await bind('eva', 's1')
      const isBound = (by: string) => within((tx) => identities.isBound(tx, by, 'eva'))
      expect([await isBound(issuer), await isBound('https://other.test')]).toEqual([true, false])
    })

    test('is taken off one user, with all others of theirs', async () => {
      await bind('eva', 's1')
      await bind('eva', 's1', 'https://other.test')
      await bind('nils', 's2')
      expect(await identities.boundUsers()).toEqual(new Set(['eva', 'nils']))
      expect(await within((tx) => identities.unbind(tx, 'eva'))).toBe(2)
      expect([await whose('s1'), await whose('s2')]).toEqual([null, 'nils'])
    })
  })
}
