import { expect, expectTypeOf, test } from 'vitest'
import { testServices } from '@/server/testing/services'
import { listColleagues } from './colleagues'
import { storedUser } from './testing/stored-user'
import { type Allowed, requirePermission, makeViewer, may, toScopeKey, type Viewer } from './viewer'

const person = { id: 'p', name: 'P', email: 'p@x.test', schools: 'all' } as const
const boss = makeViewer({ ...person, role: 'manager' })

test('the compiler lets a verb take nobody who was not asked about its permission', () => {
  expectTypeOf<Viewer>().not.toExtend<Allowed<'leads:read'>>()
  expectTypeOf<Allowed<'interest:read'>>().not.toExtend<Allowed<'leads:read'>>()
  expectTypeOf<Allowed<'leads:triage'>>().toExtend<Allowed<'leads:read'>>()
  expectTypeOf<Allowed<'admin'>>().toExtend<Allowed<'leads:export'>>()
})

test.each(['staff', 'manager', 'admin'] as const)(
  '%s has what a permission includes, also while only reading',
  (role) => {
    const included = [
      ['leads:read', 'interest:read'],
      ['leads:triage', 'leads:read'],
      ['leads:export', 'leads:read'],
      ['admin', 'leads:triage'],
      ['admin', 'leads:export'],
    ] as const
    for (const readOnly of [false, true]) {
      const viewer = makeViewer({ ...person, role }, { readOnly })
      expect(included.filter(([one, other]) => may(viewer, one) && !may(viewer, other))).toEqual([])
    }
  },
)

test('the scope is one text for all who see the same, and another for everybody else, whatever schools are called', () => {
  const scope = (schools: 'all' | string[]) => toScopeKey(makeViewer({ ...person, schools, role: 'staff' }))
  expect(scope(['norra', 'sodra'])).toBe(scope(['sodra', 'norra']))
  const reaches = ['all' as const, [], ['all'], ['*'], ['norra', 'sodra'], ['norra,sodra']]
  expect(new Set([...reaches.map(scope), toScopeKey(boss)]).size).toBe(reaches.length + 1)
})

test('leads can be assigned to colleagues at one’s own schools, by name alone', async () => {
  const list = async () => [
    storedUser('anna', { role: 'admin' }),
    storedUser('boss', { role: 'manager' }),
    storedUser('eva', { schools: ['vastra'] }),
    storedUser('gone', { schools: ['sodra'], disabled: true }),
    storedUser('nowhere', { schools: [] }),
    storedUser('sara', { schools: ['norra', 'sodra'] }),
  ]
  const names = async (schools: 'all' | string[], school?: string) => {
    const viewer = requirePermission(makeViewer({ ...person, role: 'staff', schools }), 'leads:triage')
    return (await listColleagues(testServices({ users: { list } }), viewer, { school })).people
  }
  const [anna, eva, other] = ['anna', 'eva', 'sara'].map((id) => ({ id, name: id }))
  expect(await names(['sodra'])).toEqual([anna, other])
  expect(await names('all')).toEqual([anna, eva, other])
  expect(await names('all', 'vastra')).toEqual([anna, eva])
  expect(await names(['sodra'], 'vastra'), 'of a school out of reach').toEqual([])
})
